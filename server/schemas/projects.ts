import { z } from 'zod'
import { Id, Instant, Name, PageQuery, pageOf } from './conventions.ts'
import { ServiceMetrics } from './metrics.ts'

export const Project = z
  .object({
    id: Id,
    workspaceId: Id,
    name: z.string(),
    createdAt: Instant,
    serviceCount: z.int().meta({ description: 'Services that the caller can see.' }),
    metrics: ServiceMetrics.optional(),
  })
  .meta({ id: 'Project', description: 'A container of services.' })
export type Project = z.output<typeof Project>

export const ProjectPage = pageOf(Project, 'ProjectPage')

export const ProjectQuery = PageQuery.extend({ workspaceId: Id })

export const ProjectCreate = z.object({ workspaceId: Id, name: Name })

export const ProjectChange = z.object({ name: Name })
