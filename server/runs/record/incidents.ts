import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import { and, asc, isNull, sql } from '#db/drizzle.cjs'
import { matchesRows, type RowKey } from '#db/row-match.ts'
import { insertRows, rowsOf } from '#db/rows.ts'
import { type AgentObservation, incidents } from '#db/schema/alerts.ts'
import type { FailingRun } from './failing-run.ts'
import type { ChangingRun } from './service-state.ts'

/** The columns that storing runs writes. Members and reminders write the others. */
export type Incident = Omit<
  typeof incidents.$inferSelect,
  | 'acknowledgedAt'
  | 'acknowledgedBy'
  | 'acknowledgedName'
  | 'remindedAt'
  | 'severity'
  | 'assignedAt'
  | 'assignedTo'
  | 'assignedName'
>

/**
 * Locks the open incidents of the services, at most one each, in the order of their ids. The states of the services are
 * locked already. Notes can still be added.
 */
export function lockOpenIncidents(tx: Tx, services: readonly RowKey<string>[]): Promise<Incident[]> {
  return tx
    .select()
    .from(incidents)
    .where(and(matchesRows(incidents.serviceId, services), isNull(incidents.closedAt)))
    .orderBy(asc(incidents.id))
    .for('no key update')
}

/**
 * Returns the incident that a run opens; `failing` is the failing run behind it. Where failures are confirmed, the first
 * one is older: storeIncidents finds it.
 */
export function newIncident(
  { run, before, state }: ChangingRun,
  { result, failure }: FailingRun,
  agents: AgentObservation[],
): Incident {
  const openedAt = run.result.startedAt
  const { failingSince } = state
  return {
    id: uuidv7(),
    organizationId: run.organizationId,
    serviceId: run.serviceId,
    openedAt,
    closedAt: null,
    failingSince: failingSince && failingSince < openedAt ? failingSince : openedAt,
    summary: failure.summary,
    failure,
    firstResultId: result.id,
    lastPassingResultId: before.lastPassingResultId,
    recoveredResultId: null,
    agents,
    flappingSince: null,
  }
}

/** The clocks of two agents can differ: an incident never ends before it began. */
export function later(a: Date, b: Date): Date {
  return a > b ? a : b
}

/** Changes incidents, then inserts those that the batch opened, of which some are closed already: one at a time is open. */
export async function storeIncidents(tx: Tx, opened: Incident[], changed: Incident[]): Promise<void> {
  if (changed.length > 0) {
    await tx.execute(sql`
      update incidents c set closed_at = i.closed_at, recovered_result_id = i.recovered_result_id, agents = i.agents,
        flapping_since = i.flapping_since
      from ${rowsOf(incidents, changed)} where c.organization_id = i.organization_id and c.id = i.id`)
  }
  // The others were opened by the first failure, which is their first result.
  const confirmed = opened.filter(({ failingSince, openedAt }) => failingSince < openedAt)
  const first = await findFirstFailing(tx, confirmed)
  const rows = opened.map((incident) => ({
    ...incident,
    firstResultId: first.get(incident.id) ?? incident.firstResultId,
  }))
  await insertRows(tx, incidents, rows)
}

/**
 * Returns the id of the first failing result of each incident, by the incident's id: the one that started when the failures
 * in a row did. An incident whose first result is no longer stored is left out.
 */
async function findFirstFailing(tx: Tx, opened: Incident[]): Promise<Map<string, string>> {
  if (opened.length === 0) return new Map()
  const found = await tx.execute<{ incident_id: string; id: string }>(sql`
    select i.id as incident_id, r.id from ${rowsOf(incidents, opened)}
    cross join lateral (
      select id from results where organization_id = i.organization_id and service_id = i.service_id
        and started_at = i.failing_since and status in ('failure', 'timeout')
        and (is_uncounted is not true or rechecked_by is not null)
      order by id limit 1) r`)
  return new Map(found.map((row) => [row.incident_id, row.id]))
}
