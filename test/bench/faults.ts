import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { eq, sql } from '#db/drizzle.cjs'
import { memberships } from '#db/schema/organizations.ts'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import { createKey, type Member } from '#test/support/factories.ts'
import { startProxy } from '#test/support/processes/proxy.ts'
import { createProbedService, makeDue } from '#test/support/runs/probed.ts'
import { startHttpTarget } from '#test/support/targets/http-target.ts'
import { findChild } from './child-process.ts'
import { withDatabase } from './database.ts'
import { percentile } from './frame/alternate.ts'
import type { Report } from './frame/report.ts'
import { startProduct } from './product.ts'

const PER_SECOND = 11
const BEFORE_MS = 3_000
const STEADY_MS = 20_000
const RECOVERY_LIMIT_MS = 60_000
const SETTLE_LIMIT_MS = 120_000
const PROGRAMS = ['server/commands/web.ts', 'worker/main.ts']

type Sample = { kind: string; status: number; ms: number; runId?: string }
type FaultSetup = { url: string; token: string; projectId: string; serviceId: string; db: Db; samples: Sample[] }

/**
 * Breaks the database connections of the product as `npm start` runs it, with a proxy, at 11 requests a second: reads,
 * writes, requested runs. The floor is the same load without a fault. Only on Linux.
 */
export async function run(report: Report): Promise<void> {
  await buildDashboard((progress) => console.log(progress), new AbortController().signal)
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-faults-'))
  const target = await startHttpTarget((_request, response) => response.end('ok'))
  try {
    await withDatabase(async (db, databaseUrl) => {
      const proxy = await startProxy(databaseUrl)
      const product = await startProduct(folder, {
        DATABASE_URL: proxy.url,
        SECRET_KEYS: `bench:${'0123456789abcdef'.repeat(4)}`,
        RATE_LIMIT_API_MAX: '1000000',
        PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
        LOG_LEVEL: 'fatal',
      })
      try {
        const setup = { ...(await fill(db, target.url)), url: product.url, db, samples: [] }
        const pids = async () => Promise.all(PROGRAMS.map((file) => findChild(product.program.pid as number, file)))
        const first = await pids()
        await measureLatency(report, setup, 0)
        proxy.delay(100)
        await measureLatency(report, setup, 100)
        proxy.delay(0)
        const faults: [string, number, () => void][] = [
          ['reset', 1_000, proxy.reset],
          ['stalled for 5 s', 5_000, proxy.stall],
          ['refused for 30 s', 30_000, proxy.refuse],
          ['swallowed for 30 s', 30_000, proxy.blackHole],
        ]
        for (const [name, ms, begin] of faults)
          await measureFault(report, setup, { name, ms, begin, end: proxy.restore })
        await reportLostRuns(report, setup)
        const restarted = (await pids()).filter((pid) => !first.includes(pid)).length
        report.add({
          name: 'processes that needed a hand',
          value: product.program.exitCode === null ? 0 : 1,
          unit: 'processes',
          bound: { atMost: 0 },
          note: `${restarted} of 2 were started again by their supervisor`,
        })
      } finally {
        await product.stop()
        proxy.close()
      }
    })
  } finally {
    await target.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Sends requests at a steady rate while the database is this far away. All of them must succeed. */
async function measureLatency(report: Report, setup: FaultSetup, awayMs: number): Promise<void> {
  // Opens connections and prepares statements.
  await load(setup, BEFORE_MS)
  const samples = await load(setup, STEADY_MS)
  const times = samples.map(({ ms }) => ms)
  const name = awayMs === 0 ? 'without a fault' : `database ${awayMs} ms away`
  report.add({
    name: `${name}: failed requests`,
    value: failedOf(samples).length,
    unit: 'requests',
    bound: { atMost: 0 },
  })
  addLongest(report, name, samples, `p95 ${percentile(times, 95).toFixed(0)} ms`)
}

type Fault = { name: string; ms: number; begin: () => void; end: () => void }

/** Causes a fault under load, and reports the longest request and the time from its end until all works again. */
async function measureFault(report: Report, setup: FaultSetup, { name, ms, begin, end }: Fault): Promise<void> {
  await load(setup, BEFORE_MS)
  const from = setup.samples.length
  begin()
  const during = load(setup, ms)
  await sleep(ms)
  end()
  const recoveries = {
    reads: measureRecovery(setup, 'read'),
    writes: measureRecovery(setup, 'write'),
    health: measureRecovery(setup, 'health'),
    probes: measureProbeRecovery(setup),
  }
  const seconds = await Promise.all(Object.values(recoveries))
  await during
  const samples = setup.samples.slice(from)
  addLongest(report, name, samples, `${failedOf(samples).length} of ${samples.length} requests failed`)
  report.add({
    name: `${name}: all works again`,
    value: Math.max(...seconds),
    unit: 's after the fault',
    bound: { atMost: 10 },
    note: Object.keys(recoveries)
      .map((what, i) => `${what} ${seconds[i]?.toFixed(1)}`)
      .join(', '),
  })
}

function addLongest(report: Report, name: string, samples: Sample[], note: string): void {
  const value = Math.max(...samples.map(({ ms }) => ms)) / 1_000
  report.add({ name: `${name}: longest request`, value, unit: 's', bound: { atMost: 12 }, note })
}

/** Waits until the acknowledged runs are over, and reports how many have no result. */
async function reportLostRuns(report: Report, { db, samples }: FaultSetup): Promise<void> {
  const ids = [...new Set(samples.flatMap(({ runId }) => runId ?? []))]
  const countDone = async () => {
    const [row] = await db.execute<{ done: number }>(sql`
      select count(*)::int as done from runs where state = 'done' and id = any(${`{${ids.join(',')}}`}::uuid[])`)
    return row?.done ?? 0
  }
  const startedAt = performance.now()
  while ((await countDone()) < ids.length && performance.now() - startedAt < SETTLE_LIMIT_MS) await sleep(250)
  // A result does not name its run, but each run that is done has one.
  const [row] = await db.execute<{ missing: number }>(sql`
    select ((select count(*) from runs where state = 'done') - (select count(*) from results))::int as missing`)
  report.add({
    name: 'acknowledged runs that were lost',
    value: ids.length - (await countDone()) + Math.max(0, row?.missing ?? 0),
    unit: 'runs',
    bound: { atMost: 0 },
    note: `of ${ids.length}`,
  })
}

/** Returns the seconds from now until ten requests in a row succeed; the limit when they do not within it. */
async function measureRecovery(setup: FaultSetup, kind: string): Promise<number> {
  const started = performance.now()
  let good = 0
  let since = started
  while (performance.now() - started < RECOVERY_LIMIT_MS) {
    if (isGood(await call(setup, kind))) {
      if (good++ === 0) since = performance.now()
      if (good === 10) return (since - started) / 1_000
    } else good = 0
    await sleep(100)
  }
  return RECOVERY_LIMIT_MS / 1_000
}

/** Returns the seconds from now until a run that is made due has its result; the limit when it has none by then. */
async function measureProbeRecovery({ db, serviceId }: FaultSetup): Promise<number> {
  const started = performance.now()
  const [{ before } = { before: '' }] = await db.execute<{ before: string }>(sql`select now()::text as before`)
  await makeDue(db, { id: serviceId })
  while (performance.now() - started < RECOVERY_LIMIT_MS) {
    const rows = await db.execute(sql`
      select 1 from results where service_id = ${serviceId} and started_at >= ${before}::timestamptz limit 1`)
    if (rows.length > 0) return (performance.now() - started) / 1_000
    await sleep(100)
  }
  return RECOVERY_LIMIT_MS / 1_000
}

async function load(setup: FaultSetup, ms: number): Promise<Sample[]> {
  const running: Promise<Sample>[] = []
  const kinds = ['read', 'page', 'read', 'write', 'metrics', 'page', 'read', 'run', 'page', 'read', 'health']
  const started = performance.now()
  for (let i = 0; performance.now() - started < ms; i++) {
    running.push(call(setup, kinds[i % kinds.length] as string))
    await sleep(Math.max(0, started + ((i + 1) * 1_000) / PER_SECOND - performance.now()))
  }
  return await Promise.all(running)
}

async function call({ url, token, projectId, serviceId, samples }: FaultSetup, kind: string): Promise<Sample> {
  const requests: Record<string, [string, string, unknown?]> = {
    read: ['GET', `/public/v1/services/${serviceId}`],
    page: ['GET', `/public/v1/services?projectId=${projectId}`],
    metrics: ['GET', `/public/v1/services/${serviceId}/metrics`],
    write: ['PATCH', `/public/v1/projects/${projectId}`, { name: `Project ${Math.random()}` }],
    run: ['POST', `/public/v1/services/${serviceId}/run`],
    health: ['GET', '/health'],
  }
  const [method, path, body] = requests[kind] as [string, string, unknown?]
  const at = performance.now()
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(60_000),
  }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    () => ({ status: 0, text: '' }),
  )
  const sample: Sample = { kind, status: answer.status, ms: performance.now() - at }
  if (kind === 'run' && isGood(sample)) sample.runId = JSON.parse(answer.text).runId
  samples.push(sample)
  return sample
}

function failedOf(samples: Sample[]): Sample[] {
  return samples.filter((sample) => !isGood(sample))
}

function isGood({ status }: Sample): boolean {
  return status >= 200 && status < 300
}

async function fill(db: Db, targetUrl: string) {
  const service = await createProbedService(db, `get("${targetUrl}").expect(status: 200)`)
  const [owner] = await db
    .select({
      userId: memberships.userId,
      organizationId: memberships.organizationId,
      membershipId: memberships.id,
      email: sql<string>`''`,
    })
    .from(memberships)
    .where(eq(memberships.organizationId, service.organizationId))
  const { token } = await createKey(db, owner as Member)
  return { token, projectId: service.projectId, serviceId: service.id }
}
