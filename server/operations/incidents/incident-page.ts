import type { z } from 'zod'
import type { Queryable } from '#db/client.ts'
import { and, count, desc, eq, gte, isNotNull, isNull, lte, or, type SQL, sql } from '#db/drizzle.cjs'
import { matchesAny, matchesRow } from '#db/row-match.ts'
import { incidents } from '#db/schema/alerts.ts'
import { projects, services } from '#db/schema/resources.ts'
import { presentIncident, selectIncidents, shownSeverity } from '../../alerts/alerts/incident-view.ts'
import type { ActorContext } from '../../context.ts'
import { DAY_MS } from '../../durations.ts'
import { fieldInvalid } from '../../errors.ts'
import { type Page, readPage } from '../../paging.ts'
import { requireResource } from '../../resources.ts'
import type { IncidentQuery } from '../../schemas/alerts/incident-query.ts'
import type { Incident } from '../../schemas/alerts/incidents.ts'
import { RESOURCE_TYPES } from '../../schemas/scopes.ts'
import { hasLabel, like } from '../../status/filters.ts'
import { reachesIncident } from './reached-incident.ts'

type Query = z.output<typeof IncidentQuery>

/**
 * Reads one page of the incidents that the member can read and that the query selects.
 * @throws ApiError `field_invalid`, or `not_found` for a resource that the member cannot see
 */
export async function readIncidents(ctx: ActorContext, query: Query): Promise<Page<Incident>> {
  const where = and(reachesIncident(ctx, 'read'), await within(ctx, query), ...filtersOf(ctx, query))
  return readPage(
    query,
    selectIncidents(ctx.db)
      .where(where)
      .orderBy(...orderOf(ctx, query)),
    () => countIncidents(ctx.db, where),
    (row) => presentIncident(ctx, row),
  )
}

/** Returns those of the incidents that the member may change. */
export async function selectWritable(ctx: ActorContext, ids: string[]): Promise<ReadonlySet<string>> {
  const rows = await ctx.db
    .select({ id: incidents.id })
    .from(incidents)
    .innerJoin(services, matchesRow(incidents.serviceId, services))
    .where(and(matchesAny(incidents.id, ctx.actor.organizationId, ids), reachesIncident(ctx, 'write')))
  return new Set(rows.map(({ id }) => id))
}

/** `newest` is the order of an index, so that a page costs the same for any number of incidents. */
function orderOf(ctx: ActorContext, { sort }: Query): SQL[] {
  const byTime = [desc(incidents.openedAt), desc(incidents.id)]
  if (sort === 'newest') return [sql`(${incidents.closedAt} is null) desc`, ...byTime]
  const end = sql`coalesce(${incidents.closedAt}, ${ctx.now().toISOString()}::timestamptz)`
  return [sql`${end} - ${incidents.failingSince} desc`, ...byTime]
}

/**
 * Returns the condition for incidents of the resource that the query names.
 * @throws ApiError `field_invalid` when it names more than one, `not_found` when the member cannot see it
 */
async function within(ctx: ActorContext, query: Query): Promise<SQL | undefined> {
  const [type, other] = RESOURCE_TYPES.filter((each) => query[`${each}Id`] !== undefined)
  if (other) throw fieldInvalid(`${other}Id`, `must not be given with ${type}Id: give one of them`)
  if (!type) return undefined
  const { id } = await requireResource(ctx, type, query[`${type}Id`] as string, 'visible', `${type}Id`)
  const columns = { workspace: projects.workspaceId, project: services.projectId, service: incidents.serviceId }
  return eq(columns[type], id)
}

/** Returns the conditions for the other filters that the query names. */
function filtersOf({ actor, now }: ActorContext, query: Query): (SQL | undefined)[] {
  const { state, severity, assignee, acknowledged, q, label, agent, since, until } = query
  return [
    state && (state === 'open' ? isNull(incidents.closedAt) : isNotNull(incidents.closedAt)),
    severity && eq(shownSeverity, severity),
    assignee === undefined ? undefined : isAssignedTo(assignee === 'me' ? actor.membershipId : assignee),
    acknowledged && (acknowledged === 'true' ? isNotNull(incidents.acknowledgedAt) : isNull(incidents.acknowledgedAt)),
    ...wordsOf(q).map((word) => like(sql`concat_ws(chr(10), ${incidents.summary}, ${services.name})`, word)),
    label ? hasLabel([label.toLowerCase()]) : undefined,
    agent ? failedOn(agent.toLowerCase()) : undefined,
    since === undefined ? undefined : or(isNull(incidents.closedAt), gte(incidents.closedAt, storable(since, now()))),
    until === undefined ? undefined : lte(incidents.failingSince, storable(until, now())),
  ]
}

/** Moves an instant into the time that can have incidents. Requests can name some that PostgreSQL cannot represent. */
function storable(text: string, now: Date): Date {
  return new Date(Math.min(Math.max(0, Date.parse(text)), now.getTime() + DAY_MS))
}

function wordsOf(q = ''): string[] {
  return q.split(/\s+/).filter((word) => word !== '')
}

function isAssignedTo(assignee: string): SQL {
  return assignee === 'none' ? isNull(incidents.assignedTo) : eq(incidents.assignedTo, assignee)
}

/** An open incident keeps what the agents saw when it opened. An agent that fails since then is in the present states. */
function failedOn(slug: string): SQL {
  return sql`(exists (select 1 from jsonb_array_elements(${incidents.agents}) seen
      where seen->>'agentSlug' = ${slug} and seen->>'status' <> 'success')
    or (${incidents.closedAt} is null and exists (select 1 from service_agent_states st
      where (st.organization_id, st.service_id) = (${incidents.organizationId}, ${incidents.serviceId})
        and st.agent_slug = ${slug} and st.status in ('failure', 'timeout'))))`
}

async function countIncidents(db: Queryable, where: SQL | undefined): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(incidents)
    .innerJoin(services, matchesRow(incidents.serviceId, services))
    .innerJoin(projects, matchesRow(services.projectId, projects))
    .where(where)
  return row?.total ?? 0
}
