import type { Tx } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { matchesId } from '#db/row-match.ts'
import { incidentPostMortems, incidents } from '#db/schema/alerts.ts'
import type { ActorContext } from '../../context.ts'
import type { IncidentPostMortem } from '../../schemas/alerts/incidents.ts'

/** A post-mortem as PostgreSQL writes it: the instant in its own form. */
type StoredPostMortem = { text: string; updatedAt: string; membershipId: string; authorName: string }

/** Selects the post-mortem of an incident, in the statement that reads its row. */
export function selectPostMortem(): SQL<StoredPostMortem | null> {
  return sql`(
    select json_build_object('text', p.text, 'updatedAt', p.updated_at, 'membershipId', p.membership_id,
      'authorName', p.author_name)
    from incident_post_mortems p
    where p.organization_id = ${incidents.organizationId} and p.incident_id = ${incidents.id})`
}

export function presentPostMortem({ text, updatedAt, membershipId, authorName }: StoredPostMortem): IncidentPostMortem {
  return {
    text,
    updatedAt: new Date(updatedAt).toISOString(),
    updatedBy: { orgUserId: membershipId, name: authorName },
  }
}

/** Saves the post-mortem; an empty text removes it. Returns whether this changed it. The incident's row is locked. */
export async function savePostMortem(tx: Tx, { actor, now }: ActorContext, id: string, text: string): Promise<boolean> {
  const { organizationId, membershipId, displayName: authorName } = actor
  const isOfIncident = matchesId(incidentPostMortems.incidentId, organizationId, id)
  if (text === '') return (await tx.delete(incidentPostMortems).where(isOfIncident).returning()).length > 0
  const [held] = await tx.select({ text: incidentPostMortems.text }).from(incidentPostMortems).where(isOfIncident)
  if (held?.text === text) return false
  const saved = { text, membershipId, authorName, updatedAt: now() }
  await tx
    .insert(incidentPostMortems)
    .values({ incidentId: id, organizationId, ...saved })
    .onConflictDoUpdate({ target: [incidentPostMortems.organizationId, incidentPostMortems.incidentId], set: saved })
  return true
}
