import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { alertMessages } from '#db/schema/alerts.ts'
import { DAY_MS } from '#server/durations.ts'
import { createIdAt } from '#server/results/ids.ts'
import { JobStartedError } from '#server/schedule/jobs.ts'
import { enqueueQuietDigest, enqueueStormDigest } from './store-mails.ts'

/** A mail of this age has used all its attempts, see `alertMailJob`. */
const GIVEN_UP_MS = 3 * DAY_MS
const DIGESTS_MAX = 1_000

/**
 * Repairs the rows of jobs whose worker died in the last attempt: digests that are overdue are enqueued again, and
 * mails that no job sends any more are marked as failed.
 */
export async function repairMails(db: Db, now: Date): Promise<void> {
  const overdue = await db.execute<{ organizationId: string; membershipId: string; projectId: string | null }>(sql`
    select distinct m.organization_id as "organizationId", m.membership_id as "membershipId",
      case m.state when 'pending' then e.payload #>> '{project,id}' end as "projectId"
    from alert_messages m join alert_events e on (e.organization_id, e.id) = (m.organization_id, m.event_id)
    where (m.state = 'pending' and m.mail_id is null and m.created_at < now() - interval '5 minutes')
      or (m.state = 'held' and m.silenced_until < now() - interval '5 minutes')
    limit ${DIGESTS_MAX}`)
  for (const { organizationId, membershipId, projectId } of overdue) {
    try {
      if (projectId) await enqueueStormDigest(db, { organizationId, membershipId, projectId }, now)
      else await enqueueQuietDigest(db, { organizationId, membershipId }, now)
    } catch (error) {
      // This digest is being sent right now, which is what the repair is for. The others still need it.
      if (!(error instanceof JobStartedError)) throw error
    }
  }
  await db
    .update(alertMessages)
    .set({ state: 'failed', reason: 'all attempts to send it failed' })
    .where(
      and(
        eq(alertMessages.state, 'pending'),
        // The id of a mail contains when the mail was made; a digest can be younger than its messages.
        lt(alertMessages.mailId, createIdAt(new Date(now.getTime() - GIVEN_UP_MS))),
      ),
    )
}
