import { z } from 'zod'
import { Id, Instant, Name, pageOf } from './conventions.ts'

export const Workspace = z
  .object({ id: Id, name: z.string(), createdAt: Instant })
  .meta({ id: 'Workspace', description: 'A container of projects.' })
export type Workspace = z.output<typeof Workspace>

export const WorkspacePage = pageOf(Workspace, 'WorkspacePage')

export const WorkspaceInput = z.object({ name: Name })
