import { type SQL, sql } from 'drizzle-orm'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import type { Actor } from './context.ts'

// Reach: one SQL predicate decides whether a member can reach a resource; get, list, count, metrics and bulk changes all
// use it. A section or grant applies to everything inside its resource. The containers above become visible by name only.

export type Reach = 'visible' | 'read' | 'write'
const LEVEL_NEEDED: Record<Reach, number> = { visible: 0, read: 1, write: 2 }

/** Returns a condition on `workspaces`: true for rows that the actor can reach. */
export function reachesWorkspace(actor: Actor, reach: Reach): SQL {
  if (reach !== 'visible')
    return within(
      actor,
      workspaces.organizationId,
      reach,
      granted(actor, reach, sql`g.workspace_id = ${workspaces.id}`),
    )
  return within(
    actor,
    workspaces.organizationId,
    reach,
    sql`(${granted(actor, reach, sql`g.workspace_id = ${workspaces.id}`)}
      or exists (select 1 from projects p2 join grants g on g.project_id = p2.id where p2.workspace_id = ${workspaces.id} and ${principal(actor)})
      or exists (select 1 from projects p2 join services s2 on s2.project_id = p2.id join grants g on g.service_id = s2.id where p2.workspace_id = ${workspaces.id} and ${principal(actor)}))`,
  )
}

/** Returns a condition on `projects`: true for rows that the actor can reach. */
export function reachesProject(actor: Actor, reach: Reach): SQL {
  const held = granted(actor, reach, sql`(g.workspace_id = ${projects.workspaceId} or g.project_id = ${projects.id})`)
  if (reach !== 'visible') return within(actor, projects.organizationId, reach, held)
  return within(
    actor,
    projects.organizationId,
    reach,
    sql`(${held} or exists (select 1 from services s2 join grants g on g.service_id = s2.id where s2.project_id = ${projects.id} and ${principal(actor)}))`,
  )
}

/** Returns a condition on `services`: true for rows that the actor can reach. A visible service is also readable. */
export function reachesService(actor: Actor, reach: Reach): SQL {
  return within(
    actor,
    services.organizationId,
    reach,
    granted(
      actor,
      reach,
      sql`(g.service_id = ${services.id} or g.project_id = ${services.projectId}
        or g.workspace_id = (select p2.workspace_id from projects p2 where p2.id = ${services.projectId}))`,
    ),
  )
}

function within(
  actor: Actor,
  organizationId: typeof services.organizationId | typeof projects.organizationId | typeof workspaces.organizationId,
  reach: Reach,
  held: SQL,
): SQL {
  const own = sql`${organizationId} = ${actor.organizationId}`
  // The workspaces section covers the whole tree, so grants need not be checked.
  if (actor.sections.workspaces >= Math.max(1, LEVEL_NEEDED[reach])) return own
  return sql`(${own} and ${held})`
}

function granted(actor: Actor, reach: Reach, on: SQL): SQL {
  return sql`exists (select 1 from grants g where ${on} and g.level >= ${LEVEL_NEEDED[reach]} and ${principal(actor)})`
}

function principal(actor: Actor): SQL {
  if (actor.groupIds.length === 0) return sql`g.membership_id = ${actor.membershipId}`
  return sql`(g.membership_id = ${actor.membershipId} or g.group_id in ${actor.groupIds})`
}
