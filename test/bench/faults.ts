import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { memberships } from '#db/schema/organizations.ts'
import { createKey, type Member } from '#test/support/factories.ts'
import { type DatabaseProxy, startProxy } from '#test/support/processes/proxy.ts'
import { createProbedService, makeDue } from '#test/support/runs/probed.ts'
import { startChild, stopChild, waitForPort } from './child-process.ts'
import { withDatabase } from './database.ts'
import { percentile } from './frame/alternate.ts'
import type { Report } from './frame/report.ts'

const PER_SECOND = 11
const STEADY_SECONDS = 20
const FAULT_SECONDS = 30
const RECOVERY_LIMIT_MS = 60_000
/** After the end of a fault. */
const RECOVERY_GOAL_SECONDS = 5
const REQUEST_GOAL_SECONDS = 10

type Sample = { at: number; kind: string; status: number; ms: number }
type FaultSetup = { ports: number[]; token: string; projectId: string; serviceId: string; db: Db }

/**
 * Measures faults of the database connection: two web processes and a worker behind a proxy, at 11 requests per second,
 * reads and writes. Prints for each fault how many requests failed, and how long recovery took after its end.
 */
export async function run(_options: unknown, report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-faults-'))
  const target = createServer((_, response) => response.end('ok'))
  await once(target.listen(0, '127.0.0.1'), 'listening')
  await withDatabase(async (db, url) => {
    const proxy = await startProxy(url)
    const environment = {
      PATH: process.env.PATH,
      DATABASE_URL: proxy.url,
      DATA_DIR: folder,
      SECRET_KEYS: `bench:${randomBytes(32).toString('hex')}`,
      RATE_LIMIT_API_MAX: '1000000',
      PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'fatal',
      NODE_ENV: 'production',
    }
    const children = ['./programs/front.ts', './programs/front.ts', '../../worker/main.ts'].map((module) =>
      startChild(module, environment),
    )
    try {
      const [first, second] = await Promise.all(children.map(waitForPort))
      const filled = await fill(db, (target.address() as AddressInfo).port)
      const setup = { ...filled, ports: [first, second] as number[], db }
      for (const ms of [0, 20, 100, 200]) await measureLatency(setup, proxy, ms, report)
      await measureFault(setup, 'connections reset', 1, () => proxy.reset(), proxy, report)
      await measureFault(setup, 'stalled for 5 s', 5, () => proxy.stall(), proxy, report)
      await measureFault(setup, `refused for ${FAULT_SECONDS} s`, FAULT_SECONDS, () => proxy.refuse(), proxy, report)
      await measureFault(
        setup,
        `swallowed for ${FAULT_SECONDS} s`,
        FAULT_SECONDS,
        () => proxy.blackHole(),
        proxy,
        report,
      )
    } finally {
      for (const child of children) await stopChild(child, 'SIGKILL')
      proxy.close()
    }
  })
  target.close()
  await rm(folder, { recursive: true, force: true })
}

/** Sends requests at a steady rate while the database has this latency. */
async function measureLatency(setup: FaultSetup, proxy: DatabaseProxy, delayMs: number, report: Report): Promise<void> {
  proxy.delay(delayMs)
  // Warms up: opens connections and prepares statements.
  await load(setup, 5_000)
  const samples = await load(setup, STEADY_SECONDS * 1_000)
  console.log(`database latency ${delayMs} ms: ${summarize(samples)}`)
  const times = samples.map(({ ms }) => ms)
  report.add({
    name: `requests at ${delayMs} ms of latency, p95`,
    value: percentile(times, 95),
    unit: 'ms',
    better: 'lower',
  })
  proxy.delay(0)
}

/** Causes a fault under load. Prints what failed, the longest request, and the time until recovery. */
async function measureFault(
  setup: FaultSetup,
  name: string,
  seconds: number,
  begin: () => void,
  proxy: DatabaseProxy,
  report: Report,
): Promise<void> {
  await load(setup, 3_000)
  begin()
  const during = load(setup, seconds * 1_000)
  await sleep(seconds * 1_000)
  proxy.restore()
  const [reads, writes, health, probes] = await Promise.all([
    measureRecovery(() => call(setup, 'read')),
    measureRecovery(() => call(setup, 'write')),
    measureRecovery(() => call(setup, 'health')),
    measureProbeRecovery(setup),
  ])
  const samples = await during
  console.log(`${name}: ${summarize(samples)}`)
  const longest = Math.max(...samples.map(({ ms }) => ms)) / 1_000
  report.add({ name: `${name}: longest request`, value: longest, unit: 's', goal: { atMost: REQUEST_GOAL_SECONDS } })
  for (const [what, seconds] of Object.entries({ reads, writes, health, probes })) {
    report.add({
      name: `${name}: recovery of ${what}`,
      value: seconds,
      unit: 's',
      goal: { atMost: RECOVERY_GOAL_SECONDS },
    })
  }
}

/** Returns the seconds from now until ten requests in a row succeed; the limit when they do not within it. */
async function measureRecovery(ask: () => Promise<Sample>): Promise<number> {
  const started = performance.now()
  let good = 0
  let since = started
  while (performance.now() - started < RECOVERY_LIMIT_MS) {
    const sample = await ask()
    if (sample.status >= 200 && sample.status < 300) {
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
    running.push(call(setup, kinds[i % kinds.length] as string, i))
    await sleep(Math.max(0, started + ((i + 1) * 1_000) / PER_SECOND - performance.now()))
  }
  return await Promise.all(running)
}

async function call({ ports, token, projectId, serviceId }: FaultSetup, kind: string, i = 0): Promise<Sample> {
  const requests: Record<string, [string, string, unknown?]> = {
    read: ['GET', `/public/v1/services/${serviceId}`],
    page: ['GET', `/public/v1/services?projectId=${projectId}`],
    metrics: ['GET', `/public/v1/services/${serviceId}/metrics`],
    write: ['PATCH', `/public/v1/projects/${projectId}`, { name: `Project ${i} ${Math.random()}` }],
    run: ['POST', `/public/v1/services/${serviceId}/run`],
    health: ['GET', '/health'],
  }
  const [method, path, body] = requests[kind] as [string, string, unknown?]
  const at = performance.now()
  const status = await fetch(`http://127.0.0.1:${ports[i % ports.length]}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(60_000),
  }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => 0,
  )
  return { at, kind, status, ms: performance.now() - at }
}

function summarize(samples: Sample[]): string {
  const failed = samples.filter(({ status }) => status < 200 || status >= 300)
  const times = samples.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share: number) => `${(times[Math.floor((times.length - 1) * share)] as number).toFixed(0)} ms`
  const by = Object.entries(Object.groupBy(failed, ({ kind, status }) => `${kind} ${status}`))
    .map(([what, list]) => `${what}: ${list?.length}`)
    .join(', ')
  const which = failed.length > 0 ? ` (${by})` : ''
  return `${failed.length} of ${samples.length} failed${which}, p50 ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}`
}

async function fill(db: Db, port: number) {
  const service = await createProbedService(db, `get("http://127.0.0.1:${port}/").expect(status: 200)`)
  const [owner] = await db
    .select({
      userId: memberships.userId,
      organizationId: memberships.organizationId,
      membershipId: memberships.id,
      email: sql<string>`''`,
    })
    .from(memberships)
    .where(eq(memberships.organizationId, service.organizationId))
  const key = await createKey(db, owner as Member)
  return { token: key.token, projectId: service.projectId, serviceId: service.id }
}
