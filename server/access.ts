import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { uuidArray, uuids } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { organizations } from '#db/schema/organizations.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { type Condition, condition, statement } from '#db/statement.ts'
import type { Actor, Level } from './context.ts'

// Reach: one SQL predicate decides whether a member can reach a resource; get, list, count, metrics and bulk changes all
// use it. The section `workspaces` applies to all resources, a grant to its resource and everything in it. The containers
// above a granted resource are visible by name only. In the SQL, `g` is a grant.

/** The access that an operation needs. */
export type Reach = 'visible' | 'read' | 'write'
export const LEVEL_NEEDED: Record<Reach, Level> = { visible: 0, read: 1, write: 2 }

/** What reach depends on. In a statement that is built once, the ids are placeholders. */
export type Reacher = {
  organizationId: string | Placeholder
  membershipId: string | Placeholder
  groupIds: readonly string[] | Placeholder
  sections: { workspaces: Level }
}

/** Returns a condition on `workspaces`: true for rows that the actor can reach. */
export function reachesWorkspace(actor: Reacher, reach: Reach): SQL {
  const granted = isGranted(actor, reach, sql`g.workspace_id = ${workspaces.id}`)
  if (reach !== 'visible') return inReach(actor, workspaces.organizationId, reach, granted)
  const grantedWithin = sql`(${granted}
      or exists (select 1 from projects p2 join grants g on g.project_id = p2.id
        where ${isOwn(actor, sql`p2`)} and p2.workspace_id = ${workspaces.id} and ${isGrantee(actor)})
      or exists (select 1 from projects p2 join services s2 on s2.project_id = p2.id
        join grants g on g.service_id = s2.id where ${isOwn(actor, sql`p2`)} and ${isOwn(actor, sql`s2`)}
        and p2.workspace_id = ${workspaces.id} and ${isGrantee(actor)}))`
  return inReach(actor, workspaces.organizationId, reach, grantedWithin)
}

/** Returns a condition on `projects`: true for rows that the actor can reach. */
export function reachesProject(actor: Reacher, reach: Reach): SQL {
  const granted = isGranted(
    actor,
    reach,
    sql`(g.workspace_id = ${projects.workspaceId} or g.project_id = ${projects.id})`,
  )
  if (reach !== 'visible') return inReach(actor, projects.organizationId, reach, granted)
  const grantedWithin = sql`(${granted} or exists (select 1 from services s2 join grants g on g.service_id = s2.id
      where ${isOwn(actor, sql`s2`)} and s2.project_id = ${projects.id} and ${isGrantee(actor)}))`
  return inReach(actor, projects.organizationId, reach, grantedWithin)
}

/** Returns a condition on `services`: true for rows that the actor can reach. A visible service is also readable. */
export function reachesService(actor: Reacher, reach: Reach): SQL {
  return inReach(
    actor,
    services.organizationId,
    reach,
    isGranted(
      actor,
      reach,
      sql`(g.service_id = ${services.id} or g.project_id = ${services.projectId}
        or g.workspace_id = (select p2.workspace_id from projects p2
          where ${isOwn(actor, sql`p2`)} and p2.id = ${services.projectId}))`,
    ),
  )
}

function inReach(
  actor: Reacher,
  organizationId: typeof services.organizationId | typeof projects.organizationId | typeof workspaces.organizationId,
  reach: Reach,
  granted: SQL,
): SQL {
  const own = sql`${organizationId} = ${actor.organizationId}`
  // The workspaces section covers the whole tree, so grants need not be checked.
  // 'visible' by section needs read.
  if (actor.sections.workspaces >= Math.max(1, LEVEL_NEEDED[reach])) return own
  return sql`(${own} and ${granted})`
}

function isGranted(actor: Reacher, reach: Reach, on: SQL): SQL {
  return sql`exists (select 1 from grants g where ${on} and g.level >= ${LEVEL_NEEDED[reach]} and ${isGrantee(actor)})`
}

/** Whether a grant `g` is the actor's, or one of the actor's groups. */
export function isGrantee(actor: Omit<Reacher, 'sections'>): SQL {
  const { membershipId, groupIds } = actor
  return sql`${isOwn(actor, sql`g`)} and (g.membership_id = ${membershipId} or g.group_id = any(${uuids(groupIds)}))`
}

function isOwn({ organizationId }: Pick<Reacher, 'organizationId'>, row: SQL): SQL {
  return sql`${row}.organization_id = ${organizationId}`
}

/** Sends a statement for the member of a context. */
export type MemberStatement<V extends Record<string, unknown>, R> = (
  ctx: { db: Queryable; actor: Actor },
  values: V,
) => Promise<R[]>

/** Returns a statement about what a member reaches. Its text is built once for each level on `workspaces`. */
export function memberStatement<V extends Record<string, unknown>, R>(
  build: (member: Reacher) => SQL,
): MemberStatement<V, R> {
  const built = byLevel((member) => statement<Record<string, unknown>, R>(() => build(member)))
  return ({ db, actor }, values) => built(actor)(db, { ...values, ...placedValues(actor) })
}

/** Returns a condition on what a member reaches, see `memberStatement`. */
export function memberCondition<V extends Record<string, unknown>>(
  build: (member: Reacher) => SQL,
): (actor: Actor, values: V) => Condition {
  const built = byLevel((member) => condition<Record<string, unknown>>(() => build(member)))
  return (actor, values) => built(actor)({ ...values, ...placedValues(actor) })
}

function byLevel<T>(build: (member: Reacher) => T): (actor: Actor) => T {
  const known = new Map<Level, T>()
  return ({ sections: { workspaces: level } }) => {
    const built = known.get(level) ?? build(placedMember(level))
    known.set(level, built)
    return built
  }
}

function placedValues({ organizationId, membershipId, groupIds }: Actor) {
  return { organizationId, membershipId, groupIds: uuidArray(groupIds) }
}

function placedMember(level: Level): Reacher {
  return {
    organizationId: sql.placeholder('organizationId'),
    membershipId: sql.placeholder('membershipId'),
    groupIds: sql.placeholder('groupIds'),
    sections: { workspaces: level },
  }
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
