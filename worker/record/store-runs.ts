import { asc, eq, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { anyOf } from '#db/any-of.ts'
import type { Db, Tx } from '#db/client.ts'
import { organizations } from '#db/schema/organizations.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { alertEvents, serviceStates } from '#db/schema/results.ts'
import { variables } from '#db/schema/scoped.ts'
import { runErrorOf } from '#server/results/run-error.ts'
import { enqueue } from '#server/schedule/jobs.ts'
import { lockCurrentAttempts } from '../leases.ts'
import { sumByHour } from './additions.ts'
import { addToDays } from './days.ts'
import type { FinishedRun } from './finished-run.ts'
import { addAssertions, addEndpointHours, addRunHours, dropRecentSums } from './hours.ts'
import { type AlertSettings, initialState, nextState, type ServiceState, type StateChange } from './service-state.ts'
import { writeBack } from './write-back.ts'

export type RecordOptions = { variablesMax: number }

/**
 * Stores finished runs with everything that moves with them, in one transaction, and answers the ids of those stored.
 * A run whose attempt no longer holds it is left out: another attempt has stored it, or will.
 */
export function recordRuns(db: Db, finished: FinishedRun[], options: RecordOptions): Promise<Set<string>> {
  return db.transaction(async (tx) => {
    if (finished.some((run) => run.writeBacks.length > 0)) {
      // Before the ledger, as a deletion does: the other order would lock both of them out.
      const ids = finished.map((run) => run.serviceId)
      await tx
        .select({ id: services.id })
        .from(services)
        .where(anyOf(services.id, ids))
        .orderBy(asc(services.id))
        .for('key share')
    }
    const held = await tx.execute<{ id: string }>(sql`
      with held as (${lockCurrentAttempts(finished)})
      update runs r set state = 'done', finished_at = now(), lease_until = null
      from held where r.id = held.id returning r.id`)
    const ids = new Set(held.map((row) => row.id))
    await storeRuns(
      tx,
      finished.filter((run) => ids.has(run.id)),
      options,
    )
    return ids
  })
}

/** The ids of those runs whose very results are stored. */
export async function findStored(db: Db, finished: FinishedRun[]): Promise<Set<string>> {
  const rows = finished.map(({ organizationId, serviceId, result }) => ({
    ...{ organization_id: organizationId, service_id: serviceId },
    ...{ started_at: result.startedAt, id: result.id },
  }))
  const stored = await db.execute<{ id: string }>(sql`
    select r.id from results r
    join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as i(organization_id uuid, service_id uuid, started_at timestamptz, id uuid)
      using (organization_id, service_id, started_at, id)`)
  const ids = new Set(stored.map((row) => row.id))
  return new Set(finished.filter(({ result }) => ids.has(result.id)).map((run) => run.id))
}

/** Stores results and moves metrics, states and variables with them. The caller has settled the runs in the ledger. */
export async function storeRuns(tx: Tx, runs: FinishedRun[], { variablesMax }: RecordOptions): Promise<void> {
  if (runs.length === 0) return
  const performed = runs.filter((run) => run.result.status !== 'skipped')
  const states = await lockStates(tx, runs)
  const changes: { run: FinishedRun; change: StateChange }[] = []
  for (const run of performed) {
    const held = states.get(run.serviceId) as LockedState
    const { state, change } = nextState(held.state, run, held.settings)
    held.state = state
    if (change) changes.push({ run, change })
  }
  await writeBack(tx, performed, variablesMax)

  const hours = sumByHour(runs)
  const statements: SQL[] = [insertResults(runs), addRunHours(hours.runs), dropRecentSums(hours.runs)]
  if (hours.endpoints.length > 0) statements.push(addEndpointHours(hours.endpoints))
  if (hours.assertions.length > 0) statements.push(addAssertions('hour', hours.assertions))
  if (performed.length > 0) {
    const moved = new Set(performed.map((run) => run.serviceId))
    const changed = [...states.values()].filter(({ state }) => moved.has(state.serviceId))
    statements.push(updateStates(changed.map(({ state }) => state)), updatePrevious(performed))
  }
  // Sent together: the connection works them off in order, and one round trip pays for all.
  await Promise.all(statements.map((statement) => tx.execute(statement)))
  // What comes so late that its day was folded goes to the day as well.
  const late = runs.filter((run) => run.result.startedAt < (states.get(run.serviceId) as LockedState).state.foldedUntil)
  await addToDays(tx, sumByHour(late))
  if (changes.length > 0) await insertAlertEvents(tx, changes)
}

type LockedState = { state: ServiceState; settings: AlertSettings }

/** The states of the runs' services, locked until the end: runs of one service are counted one after the other. */
async function lockStates(tx: Tx, runs: FinishedRun[]): Promise<Map<string, LockedState>> {
  const ofService = new Map(runs.map((run) => [run.serviceId, run]))
  const ids = [...ofService.keys()].sort()
  if (ids.length === 0) return new Map()
  const read = () =>
    tx
      .select()
      .from(serviceStates)
      .where(anyOf(serviceStates.serviceId, ids))
      .orderBy(asc(serviceStates.serviceId))
      .for('update')
  let rows = await read()
  if (rows.length < ids.length) {
    const missing = ids.map((id) => initialState(ofService.get(id) as FinishedRun))
    await tx.insert(serviceStates).values(missing).onConflictDoNothing()
    rows = await read()
  }
  const settings = await readAlertSettings(tx, ids)
  return new Map(rows.map((state) => [state.serviceId, { state, settings: settings(state.serviceId) }]))
}

async function readAlertSettings(tx: Tx, serviceIds: string[]): Promise<(serviceId: string) => AlertSettings> {
  const rows = await tx
    .select({ serviceId: variables.serviceId, key: variables.key, value: variables.value })
    .from(variables)
    .where(sql`${variables.systemType} is not null and ${anyOf(variables.serviceId, serviceIds)}`)
  const values = new Map(rows.map((row) => [`${row.serviceId} ${row.key}`, row.value]))
  return (serviceId) => ({
    confirmFailures: Math.max(1, Number(values.get(`${serviceId} confirmFailures`)) || 1),
    alertOnRecovery: values.get(`${serviceId} alertOnRecovery`) !== 'false',
  })
}

function insertResults(runs: FinishedRun[]): SQL {
  const rows = runs.map(({ organizationId, serviceId, agentId, agentSlug, result }) => ({
    organization_id: organizationId,
    service_id: serviceId,
    started_at: result.startedAt,
    id: result.id,
    agent_id: agentId,
    agent_slug: agentSlug,
    status: result.status,
    run_duration_ms: result.runDurationMs,
    total_response_ms: result.totalResponseMs,
    call_count: result.callCount,
    failed_calls: result.failedCalls,
    raw: result.raw,
    steps: result.steps,
  }))
  return sql`insert into results select * from jsonb_populate_recordset(null::results, ${JSON.stringify(rows)}::jsonb)`
}

function updateStates(states: ServiceState[]): SQL {
  const rows = states.map((state) => ({
    service_id: state.serviceId,
    last_status: state.lastStatus,
    last_status_since: state.lastStatusSince,
    last_consecutive: state.lastConsecutive,
    last_response_ms: state.lastResponseMs,
    slot_ms: state.slotMs,
    last_run_at: state.lastRunAt,
    last_result_id: state.lastResultId,
    last_failure: state.lastFailure,
    failing_runs: state.failingRuns,
    is_alerting: state.isAlerting,
    probes_total: state.probesTotal,
    probes_success: state.probesSuccess,
    probes_failure: state.probesFailure,
    probes_timeout: state.probesTimeout,
  }))
  return sql`
    update service_states s set last_status = i.last_status, last_status_since = i.last_status_since,
      last_consecutive = i.last_consecutive, last_response_ms = i.last_response_ms, slot_ms = i.slot_ms,
      last_run_at = i.last_run_at, last_result_id = i.last_result_id, last_failure = i.last_failure,
      failing_runs = i.failing_runs, is_alerting = i.is_alerting, probes_total = i.probes_total, probes_success = i.probes_success,
      probes_failure = i.probes_failure, probes_timeout = i.probes_timeout
    from jsonb_populate_recordset(null::service_states, ${JSON.stringify(rows)}::jsonb) i
    where s.service_id = i.service_id`
}

/** What the next run on the same agent reads as `prev`. */
function updatePrevious(runs: FinishedRun[]): SQL {
  const latest = new Map<string, FinishedRun>()
  for (const run of runs) latest.set(`${run.serviceId} ${run.agentId}`, run)
  const rows = [...latest.values()].map((run) => ({
    service_id: run.serviceId,
    agent_id: run.agentId,
    organization_id: run.organizationId,
    started_at: run.result.startedAt,
    result_id: run.result.id,
  }))
  return sql`
    insert into previous_results as p (service_id, agent_id, organization_id, started_at, result_id)
    select i.service_id, i.agent_id, i.organization_id, i.started_at, i.result_id
    from jsonb_populate_recordset(null::previous_results, ${JSON.stringify(rows)}::jsonb) i
    order by 1, 2
    on conflict (service_id, agent_id) do update set started_at = excluded.started_at, result_id = excluded.result_id
    where p.started_at <= excluded.started_at`
}

async function insertAlertEvents(tx: Tx, changes: { run: FinishedRun; change: StateChange }[]): Promise<void> {
  const ids = changes.map(({ run }) => run.serviceId)
  const places = await tx
    .select({
      organization: { id: organizations.id, name: organizations.name },
      workspace: { id: workspaces.id, name: workspaces.name },
      project: { id: projects.id, name: projects.name },
      service: { id: services.id, name: services.name },
    })
    .from(services)
    .innerJoin(projects, eq(projects.id, services.projectId))
    .innerJoin(workspaces, eq(workspaces.id, projects.workspaceId))
    .innerJoin(organizations, eq(organizations.id, services.organizationId))
    .where(anyOf(services.id, ids))
  for (const { run, change } of changes) {
    const place = places.find(({ service }) => service.id === run.serviceId)
    if (!place) continue
    const { id, status, startedAt, runDurationMs, totalResponseMs } = run.result
    const eventId = uuidv7()
    await tx.insert(alertEvents).values({
      id: eventId,
      organizationId: run.organizationId,
      serviceId: run.serviceId,
      resultId: id,
      kind: change,
      payload: {
        ...place,
        result: {
          id,
          status,
          startedAt: startedAt.toISOString(),
          agentSlug: run.agentSlug,
          runDurationMs,
          totalResponseMs,
          assertions: run.failedAssertions,
          error: runErrorOf(run.result),
        },
      },
    })
    await enqueue(tx, 'notify', { eventId }, { key: `notify:${eventId}` })
  }
}
