import { asc, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#db/client.ts'
import { matchesRows, servicesOf } from '#db/row-match.ts'
import { rowsStatement, updateOrMissing, updateStatement } from '#db/rows-statement.ts'
import { services } from '#db/schema/resources.ts'
import type { FinishedRun } from './finished-run.ts'
import type { PreparedRun } from './prepared-run.ts'

// The statements that store a batch of runs, except the states and the roll-ups. Rows go as arrays, and results, which are
// documents, as one JSON parameter. Times are CPU of the database for 100 runs of three calls with an assertion each, of
// 100 services.

/**
 * Locks the services whose variables a script writes, before their runs and in the order of their ids: 0.6 ms. A
 * deletion locks in the same order, so the two cannot deadlock.
 */
export async function lockServices(tx: Tx, runs: FinishedRun[]): Promise<void> {
  await tx
    .select({ id: services.id })
    .from(services)
    .where(matchesRows(services.id, servicesOf(runs)))
    .orderBy(asc(services.id))
    .for('key share')
}

/**
 * Marks the runs done whose attempt is still the current one, and returns them. That includes runs whose lease expired,
 * if no worker has claimed them again. Locks in the order of ids: 2 ms. An agent may send a run again while the first one
 * waits, so a batch can hold a run twice: the first one counts.
 */
export async function finishAttempts<T extends FinishedRun>(tx: Tx, runs: T[]): Promise<T[]> {
  const rows = await updateAttempts(tx, runs)
  const attemptOf = new Map(rows.map(({ id, attempt }) => [id, attempt]))
  return runs.filter((run) => attemptOf.get(run.id) === run.attempt && attemptOf.delete(run.id))
}

const updateAttempts = rowsStatement<FinishedRun, { id: string; attempt: number }>(
  { organization_id: ['uuid', (run) => run.organizationId], id: 'uuid', attempt: 'int' },
  // The rows are found one by one, in their order. To lock them before would be a record more in the write-ahead log.
  (rows) => sql`
    update runs r set state = 'done', finished_at = now(), lease_until = null
    from (select * from ${rows} order by i.id offset 0) i
    where r.organization_id = i.organization_id and r.id = i.id and r.attempt = i.attempt
      and r.state in ('running', 'queued')
    returning r.id, r.attempt`,
)

/** Returns the ids of the runs whose results are stored: a commit may succeed although its response is lost. 8 ms. */
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

/** Inserts results: 15 ms. The steps are part of the result's row: 28 % less write-ahead log than a row per step. */
export function insertResults(runs: PreparedRun[]): SQL {
  const rows = runs.map(({ run, organizationId, serviceId, agentId, agentSlug, result, failure }) => ({
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
    summary: failure?.summary ?? result.skipReason ?? null,
    raw: result.raw,
    steps: result.steps,
    script_version: result.scriptVersion ?? null,
    run_id: run?.id ?? null,
    cause: run?.cause ?? null,
    has_values: run?.hasValues || null,
  }))
  return sql`insert into results select * from jsonb_populate_recordset(null::results, ${JSON.stringify(rows)}::jsonb)`
}

type VersionRuns = {
  organization_id: string
  service_id: string
  version: number
  first_run_at: Date
  last_run_at: Date
  runs: number
  failed: number
}

/** Counts the runs of each version of a script. The states of the services are locked. */
export async function addVersionRuns(tx: Tx, runs: FinishedRun[]): Promise<void> {
  const byVersion = new Map<string, VersionRuns>()
  for (const { organizationId, serviceId, result } of runs) {
    const { scriptVersion: version, startedAt, status } = result
    if (version === undefined) continue
    const failed = status === 'success' ? 0 : 1
    const sum = byVersion.get(`${serviceId} ${version}`)
    if (sum) {
      if (startedAt < sum.first_run_at) sum.first_run_at = startedAt
      if (startedAt > sum.last_run_at) sum.last_run_at = startedAt
      sum.runs++
      sum.failed += failed
    } else {
      byVersion.set(`${serviceId} ${version}`, {
        ...{ organization_id: organizationId, service_id: serviceId, version },
        ...{ first_run_at: startedAt, last_run_at: startedAt, runs: 1, failed },
      })
    }
  }
  if (byVersion.size === 0) return
  const missing = await updateOrMissing(tx, [...byVersion.values()], updateVersionRuns)
  if (missing.length > 0) await insertVersionRuns(tx, missing)
}

const VERSION_RUNS = {
  organization_id: 'uuid',
  service_id: 'uuid',
  version: 'int',
  first_run_at: 'timestamptz',
  last_run_at: 'timestamptz',
  runs: 'int',
  failed: 'int',
} as const

const updateVersionRuns = updateStatement<VersionRuns>(
  VERSION_RUNS,
  (rows) => sql`
    update version_runs v set first_run_at = least(v.first_run_at, i.first_run_at),
      last_run_at = greatest(v.last_run_at, i.last_run_at), runs = v.runs + i.runs, failed = v.failed + i.failed
    from ${rows}
    where v.organization_id = i.organization_id and v.service_id = i.service_id and v.version = i.version
    returning i.n`,
)

const insertVersionRuns = rowsStatement<VersionRuns>(
  VERSION_RUNS,
  (rows) => sql`
    insert into version_runs (organization_id, service_id, version, first_run_at, last_run_at, runs, failed)
    select i.organization_id, i.service_id, i.version, i.first_run_at, i.last_run_at, i.runs, i.failed from ${rows}`,
)
