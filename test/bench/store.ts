import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { runs } from '#db/schema/runs.ts'
import { createOrganization, createProject, createService, createWorkspace } from '#test/support/factories.ts'
import type { CallRecord, ProbeResult } from '#worker/lace/result.ts'
import { type FinishedRun, finishRun } from '#worker/probe/finished-run.ts'
import { recordRuns } from '#worker/probe/record.ts'
import { createRedactor } from '#worker/probe/redact.ts'
import { median, withDatabase } from './database.ts'

const SERVICES = 1_000
const RUNS = 2_000
const SINGLES = 400
const BATCH = 100
const WRITERS = 4
const ROUNDS = 5

/**
 * Runs stored per second, with roll-ups and all: in batches as the worker does, one transaction per run, and against a
 * bare insert of the result rows alone. Taken by turns in one run; the ratios are what counts.
 */
export async function run(): Promise<void> {
  await withDatabase(async (db) => {
    const services = await makeServices(db)
    const ratios = { single: [] as number[], bare: [] as number[] }
    for (let round = 0; round <= ROUNDS; round++) {
      const batched = await perSecond(RUNS, await ledger(db, services, RUNS), (part) => record(db, part, BATCH))
      const single = await perSecond(SINGLES, await ledger(db, services, SINGLES), (part) => record(db, part, 1))
      const bare = await perSecond(RUNS, make(services, RUNS), (part) => insertBare(db, part))
      // The first round warms up.
      if (round === 0) continue
      ratios.single.push(batched / single)
      ratios.bare.push(batched / bare)
      const shown = [batched, single, bare].map((rate) => `${rate.toFixed(0).padStart(6)}/s`)
      console.log(`batched ${shown[0]}   single ${shown[1]}   bare insert ${shown[2]}`)
    }
    const before = await walPosition(db)
    const measured = await ledger(db, services, RUNS)
    const ledgerEnd = await walPosition(db)
    await perSecond(RUNS, measured, (part) => record(db, part, BATCH))
    const bytes = (await walPosition(db)) - ledgerEnd
    console.log(
      `median: ${median(ratios.single).toFixed(1)} x one transaction per run, ${median(ratios.bare).toFixed(2)} x a bare insert`,
    )
    console.log(
      `write-ahead log: ${(bytes / RUNS).toFixed(0)} bytes per run, ${((ledgerEnd - before) / RUNS).toFixed(0)} more in the ledger\n`,
    )
  })
}

async function record(db: Db, part: FinishedRun[], batch: number): Promise<void> {
  for (let i = 0; i < part.length; i += batch) {
    const stored = await recordRuns(db, part.slice(i, i + batch), { variablesMax: 100 })
    if (stored.size !== Math.min(batch, part.length - i)) throw new Error('a run was not stored')
  }
}

async function insertBare(db: Db, part: FinishedRun[]): Promise<void> {
  for (let i = 0; i < part.length; i += BATCH) {
    const rows = part.slice(i, i + BATCH).map(({ organizationId, serviceId, agentId, agentSlug, result }) => ({
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
    await db.execute(
      sql`insert into results select * from jsonb_populate_recordset(null::results, ${JSON.stringify(rows)}::jsonb)`,
    )
  }
}

async function perSecond(
  count: number,
  made: FinishedRun[],
  store: (part: FinishedRun[]) => Promise<void>,
): Promise<number> {
  const size = Math.ceil(made.length / WRITERS)
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: WRITERS }, (_, i) => store(made.slice(i * size, (i + 1) * size))))
  return (count / (performance.now() - startedAt)) * 1_000
}

/** Runs that stand in the ledger as running. */
async function ledger(db: Db, services: Service[], count: number): Promise<FinishedRun[]> {
  const made = make(services, count)
  const rows = made.map((run, i) => ({
    id: run.id,
    organizationId: run.organizationId,
    serviceId: run.serviceId,
    agentId: run.agentId,
    slot: new Date(Date.now() + i),
    cause: 'schedule' as const,
    state: 'running' as const,
    attempt: 1,
  }))
  for (let i = 0; i < rows.length; i += 1_000) await db.insert(runs).values(rows.slice(i, i + 1_000))
  return made
}

type Service = { id: string; organizationId: string }

const AGENT = { agentId: uuidv7(), agentSlug: 'bench' }

function make(services: Service[], count: number): FinishedRun[] {
  return Array.from({ length: count }, (_, i) => {
    const { id: serviceId, organizationId } = services[i % services.length] as Service
    return finishRun(
      { id: uuidv7(), attempt: 1, organizationId, serviceId, ...AGENT },
      probeResult(),
      null,
      new Map(),
      createRedactor([]),
    )
  })
}

/** Three calls with an assertion each, as a plain script makes them. */
function probeResult(): ProbeResult {
  const at = new Date().toISOString()
  const calls = [0, 1, 2].map((index): CallRecord => {
    const ms = 20 + Math.floor(Math.random() * 200)
    return {
      index,
      outcome: 'success',
      startedAt: at,
      endedAt: at,
      request: { url: `https://shop.example/step/${index}`, method: 'get', headers: { 'User-Agent': 'bench' } },
      response: {
        status: 200,
        statusText: 'OK',
        headers: { 'content-type': 'application/json', date: at },
        bodyPath: null,
        bodyNotCapturedReason: 'notRequested',
        responseTimeMs: ms,
        dnsMs: 1,
        connectMs: 5,
        tlsMs: 10,
        ttfbMs: ms - 20,
        transferMs: 4,
        sizeBytes: 1_234,
        dns: { resolvedIps: ['192.0.2.1'], resolvedIp: '192.0.2.1' },
        tls: null,
      },
      redirects: [],
      assertions: [
        { method: 'expect', scope: 'status', op: 'eq', outcome: 'passed', actual: 200, expected: 200, options: null },
      ],
      config: {},
      warnings: [],
      error: null,
    }
  })
  return { outcome: 'success', startedAt: at, endedAt: at, elapsedMs: 321, runVars: {}, calls, actions: {} }
}

async function makeServices(db: Db): Promise<Service[]> {
  const project = await createProject(db, await createWorkspace(db, await createOrganization(db)))
  const made: Service[] = []
  for (let i = 0; i < SERVICES; i++) made.push(await createService(db, project))
  return made
}

async function walPosition(db: Db): Promise<number> {
  const [row] = await db.execute<{ at: string }>(sql`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as at`)
  return Number(row?.at)
}

if (import.meta.main) await run()
