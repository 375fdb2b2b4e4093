import type { Queryable } from '#db/client.ts'
import { and, eq, getTableColumns, inArray, isNull, or, type SQL, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { type Reach, reachesProject, reachesService, reachesWorkspace } from '../../access.ts'
import type { ActorContext } from '../../context.ts'
import { fieldInvalid, notFound } from '../../errors.ts'
import { requireProject, requireService, requireWorkspace } from '../../resources.ts'
import type { Maintenance, MaintenanceQuery } from '../../schemas/maintenances/maintenances.ts'
import { RESOURCE_TYPES } from '../../schemas/scopes.ts'
import { PATH_ABOVE } from '../../services/places/place-path.ts'

export type MaintenanceRow = typeof maintenances.$inferSelect & {
  resourceName: string
  pathAbove: string | null
  /** Whether the member may write on its resource. */
  mayWrite: boolean
}

/** Selects the organization's maintenances whose resource the member can reach. */
export function selectMaintenances(db: Queryable, { actor }: ActorContext, reach: Reach, where?: SQL) {
  return db
    .select({
      ...getTableColumns(maintenances),
      resourceName: sql<string>`coalesce(${workspaces.name}, ${projects.name}, ${services.name})`,
      pathAbove: PATH_ABOVE,
      mayWrite: sql<boolean>`case when ${workspaces.id} is not null then ${reachesWorkspace(actor, 'write')}
        when ${projects.id} is not null then ${reachesProject(actor, 'write')} else ${reachesService(actor, 'write')} end`,
    })
    .from(maintenances)
    .leftJoin(workspaces, and(matchesRow(maintenances.workspaceId, workspaces), reachesWorkspace(actor, reach)))
    .leftJoin(projects, and(matchesRow(maintenances.projectId, projects), reachesProject(actor, reach)))
    .leftJoin(services, and(matchesRow(maintenances.serviceId, services), reachesService(actor, reach)))
    .where(
      and(
        eq(maintenances.organizationId, actor.organizationId),
        isNull(maintenances.deletedAt),
        sql`coalesce(${workspaces.id}, ${projects.id}, ${services.id}) is not null`,
        where,
      ),
    )
}

/** @throws ApiError `not_found` when it does not exist or its resource is out of reach */
export async function requireMaintenance(
  db: Queryable,
  ctx: ActorContext,
  id: string,
  reach: Reach,
  isLocked = false,
): Promise<MaintenanceRow> {
  const query = selectMaintenances(db, ctx, reach, eq(maintenances.id, id))
  const [row] = await (isLocked ? query.for('update', { of: maintenances }) : query)
  if (!row) throw notFound('id')
  return row
}

export function stateOf({ startsAt, endsAt, rule, endedAt }: MaintenanceRow, now: Date): Maintenance['state'] {
  if (endsAt <= now) return rule !== null && endedAt === null ? 'upcoming' : 'past'
  return startsAt <= now ? 'active' : 'upcoming'
}

/** Whether a maintenance is past. One with a rule that waits for its next time is not. */
const isPast = (now: SQL) =>
  sql`(${maintenances.endsAt} <= ${now} and (${maintenances.rule} is null or ${maintenances.endedAt} is not null))`
const isActive = (now: SQL) => sql`(${maintenances.startsAt} <= ${now} and ${maintenances.endsAt} > ${now})`

/** Selects the maintenances in a state. */
export function stateIs(state: MaintenanceQuery['state'], at: Date): SQL | undefined {
  if (state === undefined) return undefined
  const now = sql`${at.toISOString()}::timestamptz`
  if (state === 'active') return isActive(now)
  return state === 'past' ? isPast(now) : sql`not ${isPast(now)} and not ${isActive(now)}`
}

/** Active ones first, then upcoming ones, the next first, then past ones, the latest first. */
export function inOrder(at: Date): SQL[] {
  const now = sql`${at.toISOString()}::timestamptz`
  return [
    sql`case when ${isActive(now)} then 0 when ${isPast(now)} then 2 else 1 end`,
    sql`case when ${isPast(now)} then null else ${maintenances.startsAt} end`,
    sql`${maintenances.endsAt} desc`,
    sql`${maintenances.id}`,
  ]
}

/**
 * Selects the maintenances that concern the resource of a query.
 * @throws ApiError `field_invalid` when it names more than one, `not_found` when the member cannot read it
 */
export async function concerns(ctx: ActorContext, query: MaintenanceQuery): Promise<SQL | undefined> {
  const [type, other] = RESOURCE_TYPES.filter((each) => query[`${each}Id`] !== undefined)
  if (other) throw fieldInvalid(`${other}Id`, `must not be given with ${type}Id: give one of them`)
  const id = type && (query[`${type}Id`] as string)
  if (!id) return undefined
  const hasNoParts = query.withoutParts === 'true'
  const own = eq(maintenances.organizationId, ctx.actor.organizationId)
  if (type === 'service') {
    const { projectId, labels } = await requireService(ctx, id, 'read', 'serviceId')
    const { workspaceId } = await requireProject(ctx, projectId, 'visible', 'serviceId')
    const above = or(eq(maintenances.projectId, projectId), eq(maintenances.workspaceId, workspaceId))
    const isLabelled = or(isNull(maintenances.label), inArray(maintenances.label, labels))
    return and(own, or(eq(maintenances.serviceId, id), and(above, isLabelled)))
  }
  const inProjects = (condition: SQL) => sql`${maintenances.serviceId} in (select s.id from services s
    join projects p on (p.organization_id, p.id) = (s.organization_id, s.project_id)
    where s.organization_id = ${ctx.actor.organizationId} and ${condition})`
  if (type === 'project') {
    const { workspaceId } = await requireProject(ctx, id, 'read', 'projectId')
    const above = or(eq(maintenances.projectId, id), eq(maintenances.workspaceId, workspaceId))
    return and(own, hasNoParts ? above : or(above, inProjects(sql`p.id = ${id}`)))
  }
  await requireWorkspace(ctx, id, 'read', 'workspaceId')
  const ofWorkspace = eq(maintenances.workspaceId, id)
  if (hasNoParts) return and(own, ofWorkspace)
  const inWorkspace = sql`${maintenances.projectId} in (select p.id from projects p
    where p.organization_id = ${ctx.actor.organizationId} and p.workspace_id = ${id})`
  return and(own, or(ofWorkspace, inWorkspace, inProjects(sql`p.workspace_id = ${id}`)))
}

export function presentMaintenance(row: MaintenanceRow, now: Date): Maintenance {
  const { endedBy, endedName } = row
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    projectId: row.projectId,
    serviceId: row.serviceId,
    resourceName: row.resourceName,
    resourcePath: row.pathAbove === null ? row.resourceName : `${row.pathAbove} / ${row.resourceName}`,
    label: row.label,
    mode: row.mode,
    state: stateOf(row, now),
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    rule: row.rule,
    timezone: row.timezone,
    note: row.note,
    createdAt: row.createdAt.toISOString(),
    createdBy: { orgUserId: row.createdBy, name: row.createdName },
    endedAt: row.endedAt?.toISOString() ?? null,
    mayWrite: row.mayWrite,
    endedBy: endedBy === null ? null : { orgUserId: endedBy, name: endedName ?? '' },
  }
}
