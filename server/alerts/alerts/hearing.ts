import { uuids } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { and, eq, isNull, or, type SQL, sql } from '#db/drizzle.cjs'
import { projects, services } from '#db/schema/resources.ts'
import { silences } from '#db/schema/scoped.ts'
import { REACHABLE, reachesProject, reachesService } from '../../access.ts'
import type { Actor } from '../../context.ts'
import { belongsToScope } from '../../row-scope.ts'
import { coversKind, EVENT_KINDS, SilenceConfig } from '../../schemas/alerts/silences.ts'
import type { ResourceType } from '../../schemas/scopes.ts'
import type { ResourcePath } from './listeners.ts'

// What the notification bell of a workspace, project or service shows besides the reasons of findHearing.

export type Resource = { resourceType: ResourceType; resourceId: string }

/** Returns whether the actor may read the resource, and not only see its name. */
export async function isReadable(db: Queryable, actor: Actor, { resourceType, resourceId }: Resource) {
  const [table, reaches] = REACHABLE[resourceType]
  return (await db.$count(table, and(eq(table.id, resourceId), reaches(actor, 'read')))) > 0
}

/** Counts the projects and services within a container that the actor has a grant that notifies on or follows, and can read. */
export async function countHeardWithin(
  db: Queryable,
  actor: Actor,
  { organizationId, workspaceId, projectId, serviceId }: ResourcePath,
) {
  if (serviceId !== null) return 0
  const isInPlace =
    projectId === null
      ? sql`${services.projectId} in (
          select p.id from projects p where p.organization_id = ${organizationId} and p.workspace_id = ${workspaceId})`
      : eq(services.projectId, projectId)
  const isHeardService = isHeard(actor, sql`service_id = ${services.id}`)
  const ofServices = db.$count(services, and(isInPlace, reachesService(actor, 'read'), isHeardService))
  if (projectId !== null) return ofServices
  const inWorkspace = eq(projects.workspaceId, workspaceId)
  const isHeardProject = isHeard(actor, sql`project_id = ${projects.id}`)
  const ofProjects = db.$count(projects, and(inWorkspace, reachesProject(actor, 'read'), isHeardProject))
  return (await ofServices) + (await ofProjects)
}

function isHeard({ organizationId, membershipId, groupIds }: Actor, on: SQL): SQL {
  return sql`(exists (select 1 from grants where organization_id = ${organizationId} and notify and ${on}
      and (membership_id = ${membershipId} or group_id = any(${uuids(groupIds)})))
    or exists (select 1 from follows where organization_id = ${organizationId} and ${on} and membership_id = ${membershipId}))`
}

/** Returns the actor's first silence of exactly this resource that covers every event now, and when it ends. */
export async function findMute(
  db: Queryable,
  { organizationId, membershipId }: Actor,
  { resourceType, resourceId }: Resource,
  now: Date,
): Promise<{ silenceId: string; until: string | null } | null> {
  const mutes = await db
    .select({ id: silences.id, config: silences.config })
    .from(silences)
    .where(
      and(
        belongsToScope(silences, { organizationId, scope: resourceType, resourceId }),
        eq(silences.membershipId, membershipId),
        or(eq(silences.channel, 'email'), eq(silences.channel, 'all')),
        isNull(silences.quietHours),
      ),
    )
    .orderBy(silences.id)
  for (const { id, config } of mutes) {
    const { events, until } = config === null ? {} : SilenceConfig.parse(JSON.parse(config))
    const coversAll = EVENT_KINDS.every((kind) => coversKind(events, kind))
    if (!coversAll || (until !== undefined && Date.parse(until) <= now.getTime())) continue
    return { silenceId: id, until: until === undefined ? null : new Date(until).toISOString() }
  }
  return null
}
