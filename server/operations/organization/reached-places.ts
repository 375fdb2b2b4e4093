import type { Queryable } from '#db/client.ts'
import { and, eq, or, type SQL, sql } from '#db/drizzle.cjs'
import { byName } from '#db/order.ts'
import { matchesRow } from '#db/row-match.ts'
import { groupMembers, groups } from '#db/schema/organizations.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { grants } from '#db/schema/scoped.ts'
import { reachesProject, reachesService, reachesWorkspace } from '../../access.ts'
import type { Actor } from '../../context.ts'
import { pageOffset } from '../../paging.ts'
import type { PageQuery } from '../../schemas/conventions.ts'
import type { PlacedGrant, ReachedPlace, ReachReason } from '../../schemas/organization/places.ts'
import type { ResourceType } from '../../schemas/scopes.ts'
import { PATH_ABOVE } from '../../services/places/place-path.ts'

// The grants of a group or a member with the names of their places, as far as the reader sees them.

/** Selects grants with their places, by path and name; places out of the reader's sight come last. */
export function selectPlacedGrants(db: Queryable, reader: Actor, where: SQL) {
  const name = sql<string | null>`coalesce(${workspaces.name}, ${projects.name}, ${services.name})`
  return db
    .select({
      grantedWorkspace: grants.workspaceId,
      grantedProject: grants.projectId,
      level: grants.level,
      notify: grants.notify,
      group: { id: groups.id, name: groups.name },
      resourceId: sql<string | null>`coalesce(${workspaces.id}, ${projects.id}, ${services.id})`,
      name,
      path: PATH_ABOVE,
      projectId: sql<string | null>`coalesce(${projects.id}, ${services.projectId})`,
      workspaceId: sql<string | null>`coalesce(${workspaces.id}, ${projects.workspaceId}, (
        select p.workspace_id from projects p
        where (p.organization_id, p.id) = (${services.organizationId}, ${services.projectId})))`,
      mayWrite: sql<boolean>`case when ${workspaces.id} is not null then ${reachesWorkspace(reader, 'write')}
        when ${projects.id} is not null then ${reachesProject(reader, 'write')}
        when ${services.id} is not null then ${reachesService(reader, 'write')} else false end`,
    })
    .from(grants)
    .leftJoin(groups, matchesRow(grants.groupId, groups))
    .leftJoin(workspaces, and(matchesRow(grants.workspaceId, workspaces), reachesWorkspace(reader, 'visible')))
    .leftJoin(projects, and(matchesRow(grants.projectId, projects), reachesProject(reader, 'visible')))
    .leftJoin(services, and(matchesRow(grants.serviceId, services), reachesService(reader, 'visible')))
    .where(and(eq(grants.organizationId, reader.organizationId), where))
    .orderBy(sql`${byName(sql`concat_ws(' / ', ${PATH_ABOVE}, ${name})`)}`, grants.id)
}

type Row = Awaited<ReturnType<typeof selectPlacedGrants>>[number]

export function presentPlacedGrant(row: Row): PlacedGrant {
  const { resourceId, name, path, level: permissions, notify, mayWrite } = row
  return { resourceType: typeOf(row), resourceId, name, path, permissions, notify, mayWrite }
}

/**
 * Reads a page of the places on which a member or one of their groups has a grant, each once, with the reasons: the grants
 * on it and above it. A permission on all workspaces is no reason here.
 */
export async function readReachedPlaces(
  db: Queryable,
  reader: Actor,
  membershipId: string,
  page: PageQuery,
): Promise<{ items: ReachedPlace[]; total: number }> {
  const offset = pageOffset(page)
  const groupIds = db
    .select({ id: groupMembers.groupId })
    .from(groupMembers)
    .where(matchesRow(groupMembers.membershipId, { organizationId: reader.organizationId, id: membershipId }))
  const held = or(eq(grants.membershipId, membershipId), sql`${grants.groupId} in (${groupIds})`) as SQL
  const rows = await selectPlacedGrants(db, reader, held)
  const places = new Map<string, Row[]>()
  for (const [index, row] of rows.entries()) {
    const key = row.resourceId ?? `unseen ${index}`
    places.set(key, [...(places.get(key) ?? []), row])
  }
  const seen = [...places.values()]
  return {
    items: seen.slice(offset, offset + page.pageSize).map((own) => presentReached(own, rows)),
    total: seen.length,
  }
}

function presentReached(own: Row[], all: Row[]): ReachedPlace {
  const place = own[0] as Row
  const above = all.filter(
    ({ resourceId }) => resourceId !== null && resourceId !== place.resourceId && isAbove(resourceId, place),
  )
  const reasons = [...own.map((row) => reasonOf(row, null)), ...above.map((row) => reasonOf(row, row))]
  return {
    ...presentPlacedGrant(place),
    permissions: Math.max(...reasons.map(({ permissions }) => permissions)),
    reasons,
    hasOwnGrant: own.some(({ group }) => group === null),
  }
}

function isAbove(id: string, { workspaceId, projectId }: Row): boolean {
  return id === workspaceId || id === projectId
}

function reasonOf({ group, level: permissions, notify }: Row, above: Row | null): ReachReason {
  return { group, above: above && { resourceType: typeOf(above), name: above.name ?? '' }, permissions, notify }
}

function typeOf({ grantedWorkspace, grantedProject }: Row): ResourceType {
  return grantedWorkspace ? 'workspace' : grantedProject ? 'project' : 'service'
}
