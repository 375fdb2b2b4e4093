import type { Db, Tx } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { servicesOf } from '#db/row-match.ts'
import type { Flapping } from '#db/schema/results.ts'
import { flappingPayload, storeEvents } from '#server/runs/record/events.ts'
import { type IncidentNow, incidentEvents } from '#server/runs/record/incident-events.ts'
import { type Incident, later, lockOpenIncidents, storeIncidents } from '#server/runs/record/incidents.ts'
import { readAlertSettings } from '#server/runs/record/judging-facts.ts'
import { isMaintained } from '#server/schedule/maintenance/holding.ts'

/** Flapping ends when nothing changed for this long. */
const QUIET_MINUTES = 15
/** Services per transaction. Writers of their results wait for it. */
const BATCH = 50

/** The service of the state `s`. */
const SERVICE = sql`services v on (v.organization_id, v.id) = (s.organization_id, s.service_id)`
/** Runs of such a service change nothing, or there are none: it is not quiet, nobody looks. */
const IS_UNWATCHED = sql`(not v.is_active or ${isMaintained(sql`v`)})`

/**
 * Ends the flapping of services that have not changed for a quarter of an hour, in which they were switched on and under no
 * maintenance. If the service passes, its incident is closed; otherwise the incident stays open, as any other. One message
 * says which. Workers skip what another one locks.
 */
export async function endFlapping(db: Db): Promise<void> {
  await restartQuiet(db)
  while ((await db.transaction(endBatch)) === BATCH);
}

/** The quiet time of services that are switched off or under a maintenance begins anew. A statement of each minute. */
async function restartQuiet(db: Db): Promise<void> {
  await db.execute(sql`
    with unwatched as (
      select s.organization_id, s.service_id from service_states s join ${SERVICE}
      where s.flapping is not null and ${IS_UNWATCHED}
      order by s.service_id for update of s skip locked)
    update service_states s set flapping = s.flapping || jsonb_build_object('quietFrom', now()) from unwatched
    where (s.organization_id, s.service_id) = (unwatched.organization_id, unwatched.service_id)`)
}

type Ended = { organizationId: string; serviceId: string; isAlerting: boolean; changedAt: Date; flapping: Flapping }

/** Returns how many it ended. */
async function endBatch(tx: Tx): Promise<number> {
  const ended = await lockQuiet(tx)
  if (ended.length === 0) return 0
  const services = servicesOf(ended)
  // The order of locks of writers: states, then incidents.
  const open = new Map((await lockOpenIncidents(tx, services)).map((incident) => [incident.serviceId, incident]))
  const settings = await readAlertSettings(tx, services)
  const changed: (IncidentNow & { incident: Incident })[] = ended.flatMap((one) => {
    const { serviceId, isAlerting, changedAt, flapping } = one
    const before = open.get(serviceId)
    if (!before) return []
    const isSuppressed = !isAlerting && !settings.get(serviceId)?.alertOnRecovery
    const closed = { closedAt: later(changedAt, before.openedAt), recoveredResultId: flapping.resultId }
    return {
      kind: isAlerting ? 'service.failed' : 'service.recovered',
      suppressedReason: isSuppressed ? 'alertOnRecovery is false' : null,
      incident: { ...before, ...(isAlerting ? { flappingSince: null } : closed) },
      // The service was up in between: the counts say more.
      downMs: null,
      extra: { flapping: flappingPayload(flapping, changedAt) },
    }
  })
  await storeIncidents(
    tx,
    [],
    changed.map(({ incident }) => incident),
  )
  await storeEvents(tx, await incidentEvents(tx, changed))
  return ended.length
}

/**
 * Locks the states of the services whose flapping is over, and ends it in them. The last change is kept. After a time in
 * which nobody looked, a run must have been counted.
 */
async function lockQuiet(tx: Tx): Promise<Ended[]> {
  const quietFrom = sql`(s.flapping ->> 'quietFrom')::timestamptz`
  const lastAt = sql`s.changed_at[cardinality(s.changed_at)]`
  const rows = await tx.execute<Omit<Ended, 'changedAt'> & { changedAt: string }>(sql`
    with quiet as (
      select s.organization_id, s.service_id, s.flapping, ${lastAt} as last_at from service_states s join ${SERVICE}
      where s.flapping is not null and not ${IS_UNWATCHED}
        and greatest(${lastAt}, ${quietFrom}) <= now() - make_interval(mins => ${QUIET_MINUTES})
        and s.last_run_at > coalesce(${quietFrom}, '-infinity')
      order by s.service_id limit ${BATCH} for update of s skip locked)
    update service_states s set flapping = null, degradation = null from quiet
    where (s.organization_id, s.service_id) = (quiet.organization_id, quiet.service_id)
    returning s.organization_id as "organizationId", s.service_id as "serviceId", s.is_alerting as "isAlerting",
      quiet.last_at as "changedAt", quiet.flapping`)
  return rows.map((row) => ({ ...row, changedAt: new Date(row.changedAt) }))
}
