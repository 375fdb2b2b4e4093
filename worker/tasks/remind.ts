import type { Db, Tx } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { matchesRows, type RowKey } from '#db/row-match.ts'
import { incidents } from '#db/schema/alerts.ts'
import { storeEvents } from '#server/runs/record/events.ts'
import { incidentEvents } from '#server/runs/record/incident-events.ts'
import { isMaintained } from '#server/schedule/maintenance/holding.ts'

/** Reminders per transaction. Writers that close one of these incidents wait for it. */
const BATCH = 50

/** A job can start some seconds earlier in its minute than the one before: a reminder each minute must not skip one. */
const EARLY_SECONDS = 30

/**
 * Stores a reminder for each open incident that is not acknowledged and does not flap, whose service is active and under
 * no maintenance, and whose last reminder, or else its start, was `remindMinutes` ago. Workers skip what another one locks,
 * so that each reminder is stored once.
 */
export async function remind(db: Db): Promise<void> {
  while ((await db.transaction(remindBatch)) === BATCH);
}

/** Returns how many reminders it stored. */
async function remindBatch(tx: Tx): Promise<number> {
  const locked = await lockDueIncidents(tx)
  if (locked.length === 0) return 0
  const due = await tx
    .update(incidents)
    .set({ remindedAt: sql`now()` })
    .where(matchesRows(incidents.id, locked))
    .returning()
  const events = await incidentEvents(
    tx,
    due.map((incident) => {
      const downMs = (incident.remindedAt as Date).getTime() - incident.failingSince.getTime()
      return { kind: 'service.reminder', incident, downMs }
    }),
  )
  await storeEvents(tx, events)
  return locked.length
}

/**
 * Returns the keys of incidents that are due, locked. The services with reminders are found by an index of their variables,
 * and the open incident of each by another: 90 ms for 20,000 services with reminders that are all failed but not due, and
 * 2 ms without reminders.
 */
async function lockDueIncidents(tx: Tx): Promise<RowKey<string>[]> {
  const rows = await tx.execute<{ organization_id: string; id: string }>(sql`
    select i.organization_id, i.id from variables v
      join services s on (s.organization_id, s.id) = (v.organization_id, v.service_id) and s.is_active
      join incidents i on (i.organization_id, i.service_id) = (v.organization_id, v.service_id) and i.closed_at is null
    where v.key = 'remindMinutes' and v.system_type is not null and v.value <> '0' and i.acknowledged_at is null
      and i.flapping_since is null and not ${isMaintained(sql`s`)}
      and coalesce(i.reminded_at, i.opened_at) <= now() + make_interval(secs => ${EARLY_SECONDS})
        - make_interval(mins => case when v.value ~ '^[1-9][0-9]{0,4}$' then v.value::int end)
    limit ${BATCH} for no key update of i skip locked`)
  return rows.map(({ organization_id: organizationId, id }) => ({ organizationId, id }))
}
