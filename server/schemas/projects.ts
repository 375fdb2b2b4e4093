import { z } from 'zod'
import { CreatedAt, Name, PageQuery, ProjectId, pageOf, WorkspaceId } from './conventions.ts'
import { ServiceMetrics } from './metrics.ts'

export const Project = z
  .object({
    id: ProjectId,
    workspaceId: WorkspaceId,
    name: z.string().meta({ description: 'The name, unique in the workspace.', example: 'Storefront' }),
    createdAt: CreatedAt,
    serviceCount: z.int().meta({ description: 'Services that the caller can see.', example: 3 }),
    metrics: ServiceMetrics.optional(),
  })
  .meta({ id: 'Project', description: 'A container of services.' })
export type Project = z.output<typeof Project>

export const ProjectPage = pageOf(Project, 'ProjectPage')

export const ProjectQuery = PageQuery.extend({
  workspaceId: WorkspaceId.meta({ description: 'The workspace whose projects are listed.' }),
})

export const ProjectCreate = z.object({
  workspaceId: WorkspaceId.meta({ description: 'The workspace that gets the project.' }),
  name: Name.meta({ example: 'Storefront' }),
})

export const ProjectChange = z.object({ name: Name.meta({ example: 'Storefront' }) })
