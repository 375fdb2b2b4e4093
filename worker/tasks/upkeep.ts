import type { Db } from '#db/client.ts'
import { getTableName, type SQL, sql } from '#db/drizzle.cjs'
import { PARTITION_DAYS_AHEAD } from '#db/migrate.ts'
import { dropPartitions, ensurePartitions } from '#db/partitions.ts'
import { registerStore, storeFor, storeUrl } from '#server/bodies/store.ts'
import { startOfDayBefore } from '#server/durations.ts'
import { deleteStaleRateLimits } from '#server/http/rate-limits.ts'
import { databaseTime } from '#server/observe/system/database-clock.ts'
import { runParts } from '#server/observe/system/run-parts.ts'
import type { Settings } from '#server/process/settings.ts'
import { hoursStart, retentionStart } from '#server/results/results/retention.ts'
import { ROLLUPS } from '#server/results/statistics/rollups.ts'
import { foldDays } from '#server/runs/record/rollups/days.ts'
import { expireDeletions, overdueDeletions } from '#server/services/deletions.ts'

/** The heatmap reads up to 365 days. */
const DAYS_KEPT = 400
const BATCH_ROWS = 5_000

/**
 * Creates partitions ahead and deletes expired data: retention. Runs every hour (worker/queue/crontab.ts) and when a worker
 * starts. A failed part does not stop the others.
 * @throws the last failure
 */
export async function upkeep(db: Db, settings: Settings, now = databaseTime()): Promise<void> {
  const daysAgo = (days: number) => startOfDayBefore(now, days)
  const hoursFrom = hoursStart(now, settings.RESULT_RETENTION_DAYS)
  const parts: Record<string, () => Promise<unknown>> = {
    'creating partitions': () => ensurePartitions(db, now, PARTITION_DAYS_AHEAD),
    'dropping partitions': () => dropPartitions(db, retentionStart(now, settings.RESULT_RETENTION_DAYS)),
    'expiring bodies': () =>
      storeFor(storeUrl(settings), settings).removeBefore(
        retentionStart(now, settings.BODY_RETENTION_DAYS).toISOString().slice(0, 10),
      ),
    'registering the body store': () => registerStore(db, storeUrl(settings)),
    'folding days': () => foldDays(db, now),
    'clearing hours': async () => {
      for (const { hours } of Object.values(ROLLUPS)) {
        // Hours that are not folded into a day yet are kept.
        const isUnfolded = sql`exists (select from service_states s
          where (s.organization_id, s.service_id) = (${hours.organizationId}, ${hours.serviceId}) and s.folded_until <= hour)`
        await deleteInBatches(db, getTableName(hours), sql`hour < ${hoursFrom.toISOString()} and not ${isUnfolded}`)
      }
    },
    'clearing days': async () => {
      for (const { days } of Object.values(ROLLUPS)) {
        await deleteInBatches(db, getTableName(days), sql`day < ${daysAgo(DAYS_KEPT).toISOString()}`)
      }
    },
    'clearing versions that ran': () =>
      deleteInBatches(db, 'version_runs', sql`last_run_at < ${daysAgo(DAYS_KEPT).toISOString()}`),
    'clearing finished runs': () =>
      deleteInBatches(db, 'runs', sql`state = 'done' and finished_at < now() - interval '1 hour'`),
    'clearing requests of runs': async () => {
      const before = daysAgo(settings.RESULT_RETENTION_DAYS).toISOString()
      await deleteInBatches(db, 'run_requests', sql`requested_at < ${before}`)
      // With their services.
      await deleteInBatches(db, 'run_batches', sql`created_at < ${before}`)
    },
    'clearing incidents and events': async () => {
      const before = daysAgo(settings.RESULT_RETENTION_DAYS).toISOString()
      // With their notes. An open incident is kept, however old it is.
      await deleteInBatches(db, 'incidents', sql`closed_at < ${before}`)
      // With their messages. The failure and the recovery stay as long as their incident; reminders could be very many.
      const ofIncident = sql`exists (
        select from incidents i where (i.organization_id, i.id) = (alert_events.organization_id, incident_id))`
      const isKept = sql`kind <> 'service.reminder' and ${ofIncident}`
      await deleteInBatches(db, 'alert_events', sql`created_at < ${before} and not (${isKept})`)
      const ofEvent = sql`exists (
        select from alert_events e where (e.organization_id, e.id) = (webhook_deliveries.organization_id, event_id))`
      const isDone = sql`state <> 'pending' and not ${ofEvent}`
      await deleteInBatches(db, 'webhook_deliveries', sql`created_at < ${before} and ${isDone}`)
    },
    'clearing past maintenances': () =>
      deleteInBatches(
        db,
        'maintenances',
        sql`(ends_at < ${daysAgo(settings.RESULT_RETENTION_DAYS).toISOString()} and (rule is null or ended_at is not null))
          or deleted_at < now() - interval '1 day'`,
      ),
    // No worker takes them again: the last attempt failed, or its worker died after it had enqueued the next one.
    'clearing jobs': () =>
      db.execute(sql`select from graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs
        where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '7 days'
        limit ${BATCH_ROWS}))`),
    'ending deletions': async () => {
      while ((await db.transaction((tx) => expireDeletions(tx, overdueDeletions()))) > 0);
    },
    'clearing draft runs': () => deleteInBatches(db, 'draft_runs', sql`created_at < now() - interval '1 day'`),
    // A service can run once a month: what counts is how long before its last run a host was seen.
    'clearing certificates': () =>
      deleteInBatches(
        db,
        'certificates',
        sql`not exists (select from service_states s
          where (s.organization_id, s.service_id) = (certificates.organization_id, certificates.service_id)
          and s.last_run_at <= seen_at + interval '7 days')`,
      ),
    'clearing hours of agents': () => deleteInBatches(db, 'agent_hours', sql`hour < now() - interval '31 days'`),
    'clearing key usage': () => deleteInBatches(db, 'key_usage', sql`hour < ${daysAgo(DAYS_KEPT).toISOString()}`),
    'clearing answers of retried requests': () =>
      deleteInBatches(db, 'idempotent_answers', sql`created_at < now() - interval '24 hours'`),
    'clearing sessions': () => deleteInBatches(db, 'sessions', sql`expires_at < now() - interval '1 day'`),
    'clearing reset links': () => deleteInBatches(db, 'password_resets', sql`expires_at < now() - interval '1 day'`),
    'clearing confirmation links': () =>
      deleteInBatches(db, 'email_confirmations', sql`expires_at < now() - interval '1 day'`),
    'clearing enrolment tokens': () =>
      deleteInBatches(db, 'agent_enrolments', sql`expires_at < now() - interval '1 day'`),
    'clearing nonces of agents': () => deleteInBatches(db, 'agent_nonces', sql`expires_at < now()`),
    'clearing revoked keys of agents': () =>
      deleteInBatches(db, 'agent_keys', sql`revoked_at < now() - interval '90 days'`),
    'clearing rate limits': () => deleteStaleRateLimits(db),
  }
  await runParts(db, 'upkeep', parts)
}

/**
 * Deletes in short transactions, so that neither locks nor dead rows accumulate. Skips locked rows: a deletion of a
 * service locks its rows in another order, and the next upkeep finds what this one skipped.
 */
async function deleteInBatches(db: Db, table: string, where: SQL): Promise<void> {
  const name = sql.identifier(table)
  for (;;) {
    const { count } = await db.execute(sql`
      delete from ${name} where ctid = any(array(
        select ctid from ${name} where ${where} limit ${BATCH_ROWS} for update skip locked))`)
    if (count < BATCH_ROWS) return
  }
}
