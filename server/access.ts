import { uuids } from '#db/any-of.ts'
import { and, eq, or, type SQL, sql } from '#db/drizzle.cjs'
import { organizations } from '#db/schema/organizations.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import type { Actor, Level } from './context.ts'

// Reach: one SQL predicate decides whether a member can reach a resource. `requireService` of resources.ts asks it before
// a write or a read of parts; reads and lists of the resources themselves have it in their `where`. The section `workspaces`
// and a grant apply to everything within; above a granted resource only names are visible. In the SQL, `g` is a grant.

/** The access that an operation needs. */
export type Reach = 'visible' | 'read' | 'write'

/** The least level of the section or of a grant. A name is visible to whoever may read the resource or something within. */
export const LEVEL_NEEDED: Record<Reach, Level> = { visible: 1, read: 1, write: 2 }

/** Returns a condition on `workspaces`: true for rows that the actor can reach. */
export function reachesWorkspace(actor: Actor, reach: Reach): SQL {
  const granted = isGranted(actor, reach, sql`g.workspace_id = ${workspaces.id}`)
  const onProject = sql`exists (select 1 from projects p2 join grants g on g.project_id = p2.id
    where ${isOwn(actor, sql`p2`)} and p2.workspace_id = ${workspaces.id} and ${isGrantee(actor)})`
  const onService = sql`exists (select 1 from projects p2 join services s2 on s2.project_id = p2.id
    join grants g on g.service_id = s2.id where ${isOwn(actor, sql`p2`)} and ${isOwn(actor, sql`s2`)}
    and p2.workspace_id = ${workspaces.id} and ${isGrantee(actor)})`
  return inReach(actor, reach, workspaces, granted, [onProject, onService])
}

/** Returns a condition on `projects`: true for rows that the actor can reach. */
export function reachesProject(actor: Actor, reach: Reach): SQL {
  const on = sql`(g.workspace_id = ${projects.workspaceId} or g.project_id = ${projects.id})`
  const onService = sql`exists (select 1 from services s2 join grants g on g.service_id = s2.id
    where ${isOwn(actor, sql`s2`)} and s2.project_id = ${projects.id} and ${isGrantee(actor)})`
  return inReach(actor, reach, projects, isGranted(actor, reach, on), [onService])
}

/** Returns a condition on `services`: true for rows that the actor can reach. A visible service is also readable. */
export function reachesService(actor: Actor, reach: Reach): SQL {
  const on = sql`(g.service_id = ${services.id} or g.project_id = ${services.projectId}
    or g.workspace_id = (select p2.workspace_id from projects p2
      where ${isOwn(actor, sql`p2`)} and p2.id = ${services.projectId}))`
  return inReach(actor, reach, services, isGranted(actor, reach, on), [])
}

/** `granted`: on the resource or above it. `grantedWithin` makes its name visible. */
function inReach(
  actor: Actor,
  reach: Reach,
  { organizationId }: typeof workspaces | typeof projects | typeof services,
  granted: SQL,
  grantedWithin: SQL[],
): SQL {
  const own = sql`${organizationId} = ${actor.organizationId}`
  // The section covers the whole tree, so grants need not be checked.
  if (actor.sections.workspaces >= LEVEL_NEEDED[reach]) return own
  return sql`(${own} and ${or(granted, ...(reach === 'visible' ? grantedWithin : []))})`
}

function isGranted(actor: Actor, reach: Reach, on: SQL): SQL {
  return sql`exists (select 1 from grants g where ${on} and g.level >= ${LEVEL_NEEDED[reach]} and ${isGrantee(actor)})`
}

/** Whether a grant `g` is the actor's, or one of the actor's groups. */
export function isGrantee(actor: Pick<Actor, 'organizationId' | 'membershipId' | 'groupIds'>): SQL {
  const { membershipId, groupIds } = actor
  return sql`${isOwn(actor, sql`g`)} and (g.membership_id = ${membershipId} or g.group_id = any(${uuids(groupIds)}))`
}

function isOwn({ organizationId }: Pick<Actor, 'organizationId'>, row: SQL): SQL {
  return sql`${row}.organization_id = ${organizationId}`
}

/** Selects the actor's organization if it operates the installation. */
export function operates({ organizationId }: Pick<Actor, 'organizationId'>): SQL {
  return and(eq(organizations.id, organizationId), eq(organizations.isOperator, true)) as SQL
}

/** Per type of resource: its table, and the condition for the rows that a member reaches. */
export const REACHABLE = {
  workspace: [workspaces, reachesWorkspace],
  project: [projects, reachesProject],
  service: [services, reachesService],
} as const
