import { z } from 'zod'
import { Id, Instant, Name, PageQuery, pageOf } from './conventions.ts'
import { ServiceMetrics } from './metrics.ts'

export const Project = z
  .object({
    id: Id,
    workspaceId: Id,
    name: z.string(),
    createdAt: Instant,
    serviceCount: z.int().meta({ description: 'Services the caller may see.' }),
    metrics: ServiceMetrics.optional(),
  })
  .meta({ id: 'Project', description: 'Holds services.' })
export type Project = z.output<typeof Project>

export const ProjectPage = pageOf(Project, 'ProjectPage')

export const ProjectQuery = PageQuery.extend({ workspaceId: Id })

export const ProjectCreate = z.object({ workspaceId: Id, name: Name })

export const ProjectChange = z.object({ name: Name })
