import { z } from 'zod'
import { CreatedAt, Id, Instant, Name, PageQuery, ProjectId, pageOf, WorkspaceId } from './conventions.ts'
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

// The tokens of a project's metrics, as the dashboard creates and lists them.

/** Enough to replace one while another is in use. */
export const PROJECT_TOKENS_MAX = 10

/** Why a token is refused. */
export const TOKEN_REFUSALS = [
  'maker_removed',
  'maker_inactive',
  'maker_without_second_factor',
  'maker_without_access',
] as const
export type TokenRefusal = (typeof TOKEN_REFUSALS)[number]

export const ProjectToken = z.object({
  id: Id,
  name: z.string(),
  prefix: z.string(),
  createdAt: Instant,
  /** The email address of its maker; null when the maker is not a member any more. */
  createdBy: z.string().nullable(),
  /** Null while it works. */
  refusal: z.enum(TOKEN_REFUSALS).nullable(),
})
export type ProjectToken = z.output<typeof ProjectToken>

export const ProjectTokens = z.object({ items: z.array(ProjectToken).max(PROJECT_TOKENS_MAX) })

export const ProjectTokenInput = z.object({ id: ProjectId, name: Name })

export const CreatedProjectToken = z.object({ token: z.string(), info: ProjectToken })
