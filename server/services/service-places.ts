import type { z } from 'zod'
import type { Queryable } from '#db/client.ts'
import { asc, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { projects, workspaces } from '#db/schema/resources.ts'
import { isGrantee, reachesProject, reachesWorkspace } from '../access.ts'
import { findListeners } from '../alerts/alerts/listeners.ts'
import { selectBoundWebhooks } from '../alerts/alerts/recipients.ts'
import type { Actor, ActorContext } from '../context.ts'
import type { Hearers, ServicePlaces } from '../schemas/new-service/places.ts'

/** The most places per list; members find the others by their pages. */
const PLACES_MAX = 1_000

/** Returns where the member may create services: projects with write, and workspaces with write for new projects. */
export async function readPlaces(db: Queryable, ctx: ActorContext): Promise<ServicePlaces> {
  const [writable, inside] = await Promise.all([
    db
      .select({ id: workspaces.id, name: workspaces.name })
      .from(workspaces)
      .where(reachesWorkspace(ctx.actor, 'write'))
      .orderBy(asc(workspaces.name), asc(workspaces.id))
      .limit(PLACES_MAX),
    db
      .select({ id: projects.id, name: projects.name, workspaceId: workspaces.id, workspaceName: workspaces.name })
      .from(projects)
      .innerJoin(workspaces, matchesRow(projects.workspaceId, workspaces))
      .where(reachesProject(ctx.actor, 'write'))
      .orderBy(asc(workspaces.name), asc(projects.name), asc(projects.id))
      .limit(PLACES_MAX),
  ])
  return { mayCreateWorkspaces: ctx.actor.sections.workspaces === 2, workspaces: writable, projects: inside }
}

/** Counts who would hear of failures of a service in a project, or in a new project of a workspace. */
export async function countHearers(
  db: Queryable,
  { actor }: ActorContext,
  place: { workspaceId: string; projectId: string | null },
): Promise<z.output<typeof Hearers>> {
  const path = { organizationId: actor.organizationId, ...place, serviceId: null }
  const [listeners, bound] = await Promise.all([
    findListeners(db, path),
    db.execute<{ isEnabled: boolean }>(selectBoundWebhooks(path)),
  ])
  const others = listeners.filter(({ membershipId }) => membershipId !== actor.membershipId).length
  return {
    isHeardByYou: others < listeners.length,
    others,
    webhooks: bound.filter(({ isEnabled }) => isEnabled).length,
  }
}

/** Returns whether the member may create a service anywhere. */
export async function hasPlaces(db: Queryable, { actor }: ActorContext): Promise<boolean> {
  return (await readWriteRights(db, actor)).mayCreateServices
}

/** Returns whether the member may create a service anywhere, and whether they may write on anything. */
export async function readWriteRights(
  db: Queryable,
  actor: Actor,
): Promise<{ mayCreateServices: boolean; mayGrant: boolean }> {
  if (actor.sections.workspaces === 2) return { mayCreateServices: true, mayGrant: true }
  const [held] = await db.execute<{ mayCreateServices: boolean; mayGrant: boolean }>(sql`
    select coalesce(bool_or(g.service_id is null), false) as "mayCreateServices", count(*) > 0 as "mayGrant"
    from grants g where g.level = 2 and ${isGrantee(actor)}`)
  return held ?? { mayCreateServices: false, mayGrant: false }
}
