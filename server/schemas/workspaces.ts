import { z } from 'zod'
import { CreatedAt, Name, pageOf, WorkspaceId } from './conventions.ts'

export const Workspace = z
  .object({
    id: WorkspaceId,
    name: z.string().meta({ description: 'The name, unique in the organization.', example: 'Web shop' }),
    createdAt: CreatedAt,
  })
  .meta({ id: 'Workspace', description: 'A container of projects.' })
export type Workspace = z.output<typeof Workspace>

export const WorkspacePage = pageOf(Workspace, 'WorkspacePage')

export const WorkspaceInput = z.object({ name: Name.meta({ example: 'Web shop' }) })
