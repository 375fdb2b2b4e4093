import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import {
  type MemberStatement,
  memberStatement,
  type Reacher,
  reachesProject,
  reachesService,
  reachesWorkspace,
} from '../access.ts'
import type { ActorContext } from '../context.ts'
import { notFound } from '../errors.ts'
import { type Page, pageOffset } from '../paging.ts'
import type { ServiceMetrics } from '../schemas/metrics.ts'
import type { Project } from '../schemas/projects.ts'
import {
  LATENCY_BOUND_PLACEHOLDERS,
  latencyBounds,
  metricsColumns,
  metricsJoins,
  type ServiceMetricsRow,
  sumMetrics,
} from '../statistics/metrics.ts'
import { instant } from './service-rows.ts'

// Projects as the API shows them, in one statement: a row for each service that the member sees, with what its project's
// sums need, or one row without a service.

export type ProjectFacts = { id: string; workspaceId: string; name: string; createdAt: Date }

type Columns = { id: string; workspaceId: string; name: string; createdAt: string }
type Row = Columns & (ServiceMetricsRow | { serviceId: null })

const columns = sql`projects.id, projects.workspace_id as "workspaceId", projects.name,
  ${instant(sql`projects.created_at`)} as "createdAt", ${metricsColumns}`

/** Counts and metrics cover the services that the member sees. */
function servicesOf(member: Reacher): SQL {
  return sql`
    left join services on services.organization_id = projects.organization_id and services.project_id = projects.id
      and ${reachesService(member, 'visible')}
    ${metricsJoins(LATENCY_BOUND_PLACEHOLDERS)}`
}

const byId: MemberStatement<{ id: string; hour: string; since: string }, Row> = memberStatement(
  (member) => sql`
    select ${columns} from projects ${servicesOf(member)}
    where projects.id = ${sql.placeholder('id')} and ${reachesProject(member, 'visible')}`,
)

type PageValues = { workspaceId: string; limit: number; offset: number; hour: string; since: string }

// The page is selected before anything is joined to it, so that the rest is read for its projects only.
const ofWorkspace: MemberStatement<PageValues, { total: number } & (Row | { id: null })> = memberStatement((member) => {
  const visible = sql`projects.organization_id = ${member.organizationId}
    and projects.workspace_id = ${sql.placeholder('workspaceId')} and ${reachesProject(member, 'visible')}`
  return sql`
    select (select count(*)::int from projects where ${visible}) as total, page.*
    from workspaces left join lateral (
      select ${columns}
      from (select * from projects where ${visible} order by projects.created_at, projects.id
        limit ${sql.placeholder('limit')}::int offset ${sql.placeholder('offset')}::int) projects
      ${servicesOf(member)}) page on true
    where workspaces.id = ${sql.placeholder('workspaceId')} and ${reachesWorkspace(member, 'visible')}
    order by page."createdAt", page.id`
})

/** Returns a project that the member sees. Within a transaction, it includes the transaction's own changes. */
export async function readProject(ctx: ActorContext, id: string, db: Queryable = ctx.db): Promise<Project> {
  const rows = await byId({ actor: ctx.actor, db }, { id, ...latencyBounds(ctx.now()) })
  if (rows.length === 0) throw notFound('id')
  return presentRows(rows)
}

/**
 * Returns the projects of a workspace that the member sees, oldest first.
 * @throws ApiError `not_found` on `workspaceId`, and as `pageOffset`
 */
export async function readProjectPage(
  ctx: ActorContext,
  query: { workspaceId: string; page: number; pageSize: number },
): Promise<Page<Project>> {
  const { workspaceId, page, pageSize } = query
  const bounds = latencyBounds(ctx.now())
  const rows = await ofWorkspace(ctx, { workspaceId, limit: pageSize, offset: pageOffset(query), ...bounds })
  const [first] = rows
  if (!first) throw notFound('workspaceId')
  const found = rows.filter((row): row is Row & { total: number } => row.id !== null)
  const items = [...Map.groupBy(found, ({ id }) => id).values()].map(presentRows)
  return { items, total: first.total, page, pageSize }
}

/** Returns a project without services. */
export function presentNewProject({ id, workspaceId, name, createdAt }: ProjectFacts): Project {
  return presentProject({ id, workspaceId, name, createdAt: createdAt.toISOString() }, 0, null)
}

function presentRows(rows: Row[]): Project {
  const { metrics, serviceCount } = sumMetrics(
    rows.filter((row): row is Columns & ServiceMetricsRow => row.serviceId !== null),
  )
  return presentProject(rows[0] as Columns, serviceCount, metrics)
}

function presentProject(
  { id, workspaceId, name, createdAt }: Columns,
  serviceCount: number,
  metrics: ServiceMetrics | null,
): Project {
  return {
    id,
    workspaceId,
    name,
    createdAt,
    serviceCount,
    ...(metrics ? { metrics: { ...metrics, serviceCount } } : {}),
  }
}
