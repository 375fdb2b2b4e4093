import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Temporal } from 'temporal-polyfill'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eq, inArray, sql } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { organizations } from '#db/schema/organizations.ts'
import { agents, serviceAgents } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { runs, schedules } from '#db/schema/runs.ts'
import { parseSettings } from '#server/process/settings.ts'
import { controlledClock } from '#test/support/clock.ts'
import { testFolder } from '#test/support/folder.ts'
import { type Gate, startGate } from '#test/support/gate.ts'
import { type AgentLife, type Expected, expectedRuns, type Plan } from '#test/support/oracles/dispatch-oracle.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { TEST_SECRET_KEYS } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { CRONTAB } from '#worker/queue/crontab.ts'
import type { WorkerSettings } from '#worker/queues.ts'
import { startWorker, type Worker } from '#worker/worker.ts'

// Workers of three agents, each with its own queue, transport and connections. The test moves their clock through the
// hours around each clock change: to the instants at which something is due, and to instants between. It compares their
// results, run by run, with the results that the oracle derives from the rules.

type Instant = Temporal.Instant
type Row = { service: string; agent: string; slot: string; at: string; status: string }

const ZONES = ['Europe/Berlin', 'Australia/Lord_Howe']
const SLUGS = ['ada', 'bea', 'cleo'] as const
const START = Temporal.Instant.from('2027-01-01T00:00:00Z')
const CLOCK_CHANGES = ZONES.map((zone) => clockChangeOf(zone, START))

const database = probedDatabase()
const clock = controlledClock(database, dateOf(START))
const alive = new Map<string, Worker>()
const folder = testFolder()
// The queues would enqueue jobs for each minute that the clock skips, which are hundreds of thousands.
const crontab = CRONTAB.splice(0)
let target: HttpTarget
let gate: Gate

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => response.end('on time'))
  gate = await startGate()
  for (const slug of SLUGS) await startAgent(slug)
  const rows = await database.db.select({ id: agents.id, slug: agents.slug }).from(agents).orderBy(agents.id)
  // Agents rotate in the order of their ids.
  expect(rows.map((row) => row.slug)).toEqual(SLUGS)
})
// Each test starts with empty tables, even if the previous test failed.
afterEach(async () => {
  gate.open()
  await database.db.delete(schedules)
  await database.db.delete(runs)
})
afterAll(async () => {
  CRONTAB.push(...crontab)
  await Promise.all([...alive.keys()].map((slug) => endAgent(slug)))
  await Promise.all([target?.close(), gate?.close()])
})

async function startAgent(slug: string): Promise<void> {
  const given = parseSettings({
    DATABASE_URL: database.url,
    SECRET_KEYS: TEST_SECRET_KEYS,
    DATA_DIR: folder,
    AGENT_SLUG: slug,
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
    PROBE_RUN_TIMEOUT: '600',
    NODE_ENV: 'test',
  })
  // The test ticks until nothing is left to do, so no early tick is needed.
  const triggers = { look: () => {}, dispatch: () => {}, pick: () => {}, pickDrafts: () => {} }
  const connections = { db: database.db, heartbeat: database.db }
  alive.set(slug, await startWorker(connections, given as WorkerSettings, triggers))
}

/** Ends the worker of an agent as if its process was killed, or in an orderly way. */
async function endAgent(slug: string, isOrderly = false): Promise<void> {
  const worker = alive.get(slug)
  alive.delete(slug)
  await worker?.drain()
  if (isOrderly) await worker?.deregister()
}

/** Plans around the clock change at `at`, in each mode, with each policy, with and without a window. */
function plansAround(zone: string, at: Instant): Plan[] {
  const often = { minutes: [0, 30], mode: 'consecutive', policy: 'skip' } as const
  const daily = (lengthMinutes: number, minute: number, ...hours: number[]) => ({
    zone,
    times: hours.map((hour) => ({ hour, minute })),
    lengthMinutes,
  })
  const slow = { ...often, agents: ['ada'], held: [at.add({ minutes: -60 }), at.add({ minutes: 40 })] } as const
  const { hour, minute } = at.add({ minutes: 35 }).toZonedDateTimeISO('UTC')
  return [
    { name: 'in turn', ...often },
    { name: 'in turn, over the clock change', ...often, window: daily(120, 30, 1) },
    { name: 'at once', ...often, minutes: [30], mode: 'simultaneous', agents: SLUGS, window: daily(60, 0, 3) },
    { name: 'simultaneous on all live agents', ...often, minutes: [0], mode: 'simultaneous' },
    { name: 'by chance', ...often, mode: 'random', agents: ['ada', 'bea'], window: daily(90, 15, 2) },
    {
      name: 'every minute',
      minutes: Array.from({ length: 60 }, (_, i) => i),
      mode: 'consecutive',
      policy: 'enqueue_once',
      agents: ['ada', 'bea'],
      window: daily(3, 0, 1, 2, 3),
    },
    { name: 'alone', ...often, agents: ['bea'] },
    { name: 'slow, dropped', ...slow },
    { name: 'slow, waiting', ...slow, policy: 'enqueue_once' },
    {
      name: 'slow, given up',
      ...slow,
      policy: 'enqueue_once',
      window: { zone: 'UTC', times: [{ hour, minute }], lengthMinutes: 20 },
    },
  ]
}

/** Minutes before and after the clock change at which the workers tick. Between 130 and 170 all are suspended. */
const TICK_MINUTES = [...[-120, -60, -30, -1], ...[0, 1, 3, 30, 40, 60, 90, 91, 96, 120, 170]]

/** The cases around a clock change. */
function caseAround({ name, zone, at, isSpring }: (typeof CLOCK_CHANGES)[number]) {
  const minutes = (count: number) => at.add({ minutes: count })
  const lives: AgentLife[] = [
    { slug: 'ada', away: [] },
    { slug: 'bea', away: [{ from: minutes(-45), to: minutes(45) }] },
    // Sends no more heartbeats from the instant at which it gets its runs.
    { slug: 'cleo', away: [{ from: minutes(90), to: minutes(120) }] },
  ]
  const [start, ticks] = [minutes(-125), TICK_MINUTES.map(minutes)]
  const expected = (plan: Plan) => expectedRuns(plan, lives, start, ticks)
  return { name, zone, at, isSpring, minutes, start, plans: plansAround(zone, at), expected }
}

const CASES = CLOCK_CHANGES.map(caseAround)

test.each(CASES)('around $name the right agent executes each run, once', async (clockCase) => {
  const { zone, isSpring, minutes, plans } = clockCase
  await clock.set(dateOf(clockCase.start))
  await ensurePartitions(database.db, dateOf(minutes(-24 * 60)), 3)
  for (const slug of SLUGS) if (!alive.has(slug)) await startAgent(slug)
  const services = await Promise.all(plans.map((plan) => serviceOf(plan, zone)))
  gate.open()

  const left: Row[] = []
  for (const minute of TICK_MINUTES) {
    // Between the ticks.
    if (minute === -30) await endAgent('bea', isSpring)
    if (minute === 60) await startAgent('bea')
    if (minute === 120) await startAgent('cleo')
    await clock.set(dateOf(minutes(minute)))
    if (minute === -60) gate.shut()
    if (minute === 40) gate.open()
    await Promise.all([...alive.values()].map((worker) => worker.sendHeartbeat()))
    if (minute === 90) await endAgent('cleo')
    await settle(minute >= -60 && minute < 40 ? plans.filter((plan) => plan.held) : [])
    left.push(...(await endedNow()))
  }

  const expected = plans.flatMap(clockCase.expected)
  expect(left.map((row) => withExpectedAgents(row, expected)).sort()).toEqual(expected.map(flat).sort())

  const ids = services.map((service) => service.id)
  expect(await database.db.$count(results, inArray(results.serviceId, ids))).toBe(left.length)
  expect(await database.db.$count(runs, sql`${runs.state} <> 'done'`)).toBe(0)
})

test('the clock changes shift windows, delay runs and keep runs out of windows', () => {
  for (const clockCase of CASES) {
    // Some windows are open at other times than without the clock change.
    const unmoved = clockCase.at.subtract({ minutes: 1 }).toZonedDateTimeISO(clockCase.zone).offset
    const moved = clockCase.plans.filter((plan) => {
      if (plan.window?.zone !== clockCase.zone) return false
      const expected = clockCase.expected({ ...plan, window: { ...plan.window, zone: unmoved } })
      return !isDeepStrictEqual(expected, clockCase.expected(plan))
    })
    expect([clockCase.name, moved.length > 0]).toEqual([clockCase.name, true])
  }
  const all = CASES.flatMap((clockCase) =>
    clockCase.plans.map((plan) => ({ plan, clockCase, runs: clockCase.expected(plan) })),
  )
  const kept = all.filter(({ plan, clockCase, runs }) => {
    return plan.window && runs.length < clockCase.expected({ ...plan, window: undefined }).length
  })
  const withWindow = plansNamed(all.filter(({ plan }) => plan.window))
  expect(plansNamed(kept)).toEqual(withWindow)
  const late = all.flatMap(({ runs }) => runs.filter((run) => run.slot !== run.at).map((run) => run.status))
  expect(new Set(late)).toEqual(new Set(['success', 'skipped']))
})

function plansNamed(of: { plan: Plan }[]): string[] {
  return [...new Set(of.map(({ plan }) => plan.name))].sort()
}

async function serviceOf(plan: Plan, timezone: string): Promise<ProbedService> {
  // The run waits for hours of the test's clock, and must not time out by the real clock.
  const script = plan.held
    ? `get("${gate.url}", { timeout: { ms: 60000, action: "retry", retries: 9 } }).expect(status: 200)`
    : `get("http://127.0.0.1:${target.port}/").expect(status: 200)`
  const service = await database.createProbedService(script, {
    name: plan.name,
    schedule: `${plan.minutes.length === 60 ? '*' : plan.minutes.join(',')} * * * *`,
    probeMode: plan.mode,
    queuePolicy: plan.policy,
    serviceWindow: plan.window ? windowText(plan.window, timezone) : null,
  })
  await database.db.update(organizations).set({ timezone }).where(eq(organizations.id, service.organizationId))
  if (plan.agents) {
    const named = await database.db
      .select({ id: agents.id })
      .from(agents)
      .where(inArray(agents.slug, [...plan.agents]))
    const { id: serviceId, organizationId } = service
    await database.db
      .insert(serviceAgents)
      .values(named.map(({ id: agentId }) => ({ serviceId, organizationId, agentId })))
  }
  return service
}

/** Every second window uses the organization's zone. */
function windowText({ zone, times, lengthMinutes }: NonNullable<Plan['window']>, organizationZone: string): string {
  const hours = times.map(({ hour }) => hour)
  const rule = `FREQ=DAILY;BYHOUR=${hours.join(',')};BYMINUTE=${times[0]?.minute}/${lengthMinutes}`
  return zone === organizationZone && lengthMinutes % 60 === 0 ? rule : `${rule}/${zone}`
}

/** Ticks all live workers until nothing is left to do at this instant. Runs of `held` wait at the target. */
async function settle(held: Plan[]): Promise<void> {
  for (;;) {
    const workers = [...alive.values()]
    await Promise.all(workers.map((worker) => worker.reap()))
    await Promise.all(workers.map((worker) => worker.dispatch()))
    await Promise.all(workers.map((worker) => worker.pick()))
    if (await isSettled(held)) return
    // Workers that wait for each other still send heartbeats.
    await Promise.all(workers.map((worker) => worker.sendHeartbeat()))
  }
}

/**
 * Whether nothing is left to do. Waits first while more runs are in flight than are held back, because a round of ticks
 * takes fifty statements.
 */
async function isSettled(held: Plan[]): Promise<boolean> {
  const names = `{${held.map((plan) => `"${plan.name}"`).join(',')}}`
  const silent = `{${SLUGS.filter((slug) => !alive.has(slug)).join(',')}}`
  for (let pauseMs = 20; pauseMs < 2_000; pauseMs *= 1.3) {
    const [left] = await database.db.execute<{ count: number; held: number; running: number }>(sql`
      select (select count(*) from schedules where next_run_at <= now())::int + count(*) filter (where not (
          (v.name = any(${names}::text[]) and r.state in ('running', 'waiting')) or (a.slug = any(${silent}::text[]) and (
            r.created_at > now() - interval '20 seconds'
            or (v.probe_mode = 'simultaneous' and ${alive.size === 0}::boolean
              and r.created_at >= now() - interval '300 seconds')))))::int as count,
        count(*) filter (where v.name = any(${names}::text[]) and r.state = 'running')::int as held,
        count(*) filter (where r.state = 'running')::int as running
      from runs r join services v on v.id = r.service_id left join agents a on a.id = r.agent_id
      where r.state <> 'done'`)
    const isDone = left?.count === 0 && left.held === held.length
    if (isDone && gate.holding() >= held.length) return true
    if (!isDone && left && left.running <= held.length) return false
    await sleep(pauseMs)
  }
  return false
}

/** The runs that ended at this instant, with their results. A result's start is the claim of the run. */
async function endedNow(): Promise<Row[]> {
  const rows = await database.db.execute<Row>(sql`
    select v.name as service, coalesce(a.slug, 'none') as agent, r.slot, t.started_at as at, t.status
    from runs r join services v on v.id = r.service_id left join agents a on a.id = r.agent_id
    left join results t on t.service_id = r.service_id and t.agent_id = r.agent_id
      and t.started_at = coalesce(r.started_at, r.finished_at)
    where r.state = 'done' and r.finished_at = now()`)
  const text = (at: string) => Temporal.Instant.fromEpochMilliseconds(Date.parse(at)).toString()
  return rows.map((row) => ({ ...row, slot: text(row.slot), at: text(row.at) }))
}

/** In random mode, replaces the agent by all expected agents if it is one of them. */
function withExpectedAgents(row: Row, expected: Expected[]): string {
  const open = expected.find(
    (one) => one.service === row.service && one.slot === row.slot && typeof one.agent !== 'string',
  )
  const agent = open?.agent.includes(row.agent) ? open.agent : row.agent
  return flat({ ...row, agent } as Expected)
}

function flat({ service, agent, slot, at, status }: Expected): string {
  return `${service}: ${slot} by ${[agent].flat().join(' or ')} at ${at}: ${status}`
}

/** The next one of the zone. In the year of the test, clocks go forward an hour in Berlin, and back half an hour on Lord Howe. */
function clockChangeOf(zone: string, after: Instant) {
  const before = after.toZonedDateTimeISO(zone)
  const time = before.getTimeZoneTransition('next') as Temporal.ZonedDateTime
  const isSpring = time.offsetNanoseconds > before.offsetNanoseconds
  return { name: time.toString(), zone, at: time.toInstant(), isSpring }
}

function dateOf(instant: Instant): Date {
  return new Date(instant.epochMilliseconds)
}
