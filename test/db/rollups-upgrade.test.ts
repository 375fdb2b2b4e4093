import { v7 as uuidv7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { migrateDatabase } from '#db/migrate.ts'
import { assertionDays, assertionHours, endpointDays, endpointHours, runDays, runHours } from '#db/schema/results.ts'
import { binOf } from '#server/results/statistics/sketch.ts'
import { insertJson, oldestDatabase } from '#test/support/database.ts'

// Roll-ups of the release that packed latencies and counted clean runs in the rows of their agents.

const database = oldestDatabase()
const owner = { organization_id: uuidv7(), service_id: uuidv7() }
const HOUR = '2026-11-20T13:00:00.000Z'
const EARLIER = '2026-11-20T12:00:00.000Z'
const DAY = '2026-11-20T00:00:00.000Z'
const EARLIER_DAY = '2026-11-19T00:00:00.000Z'

/** Latencies with gaps of all lengths: differences of one byte, two, three and five. */
const FEW = [0, 7, 7, 300, 40_000, 2 ** 31 - 1]
const MANY = Array.from({ length: 150 }, (_, i) => i * 37)
const BINNED = Array.from({ length: 400 }, (_, i) => (i * i) % 90_000)

beforeAll(async () => {
  await insertRows()
  await migrateDatabase(database.url)
}, 120_000)

/** Each bin with its count, in order. */
function binsOf(latencies: number[]): [bin: number, count: number][] {
  return [...Map.groupBy(latencies, binOf)]
    .map(([bin, own]): [number, number] => [bin, own.length])
    .sort(([a], [b]) => a - b)
}

/** Packs as that release did: the form, then differences of seven bits per byte. */
function packed(latencies: number[], isBinned: boolean): string {
  const numbers = isBinned
    ? binsOf(latencies).flatMap(([bin, count], i, all) => [bin - (all[i - 1]?.[0] ?? -1), count])
    : latencies.toSorted((a, b) => a - b).map((ms, i, all) => ms - (all[i - 1] ?? 0))
  const bytes = [Number(isBinned)]
  for (let number of numbers) {
    for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) | 128)
    bytes.push(number)
  }
  return `\\x${Buffer.from(bytes).toString('hex')}`
}

function insert(table: string, row: Record<string, unknown>): Promise<void> {
  return insertJson(database.db, table, { ...owner, ...row })
}

const single = (key: string) => ({ key, definition: { kind: 'expect', scope: key } })
const set = (...keys: string[]) => ({ assertions: keys.map(single) })

/** Clean runs of calls of 1 ms, 2 ms and so on in each phase; `latencies` has those of a run after the other. */
function cleanRuns(endpoints: string[], latencies: number[], assertions: object | null) {
  const runs = latencies.length / endpoints.length
  const digits = endpoints.flatMap((_, call) => [1, 2, 3, 4, 5, 6, 7].map((sum) => runs * (call * 10 + sum)))
  const calls = endpoints.map((key) => ({ key, method: 'GET', template: `/${key}`, status: 200 }))
  return {
    ...{ clean_runs: runs, clean_key: endpoints.join(), clean_call_ms: latencies },
    clean_call_sums: digits
      .map((sum) => String(sum).padStart(16, '0'))
      .join('')
      .replace(/^0+/, ''),
    clean_set: { calls, assertions },
  }
}

async function insertRows(): Promise<void> {
  const hours = { runs_by_hour: [1], failed_by_hour: [0] }
  await insert('run_days', { day: DAY, agent_slug: 'few', ...hours, sketch: packed(FEW, false) })
  await insert('run_days', { day: DAY, agent_slug: 'binned', ...hours, sketch: packed(BINNED, true) })
  await insert('run_days', { day: DAY, agent_slug: 'none', ...hours })
  const endpoint = { method: 'GET', template: '/a', status_counts: {}, ...{ calls: 1, failed_calls: 0, timed: 1 } }
  const sums = { dns_ms: 1, connect_ms: 1, tls_ms: 1, ttfb_ms: 1, transfer_ms: 1, response_ms: 1, size_bytes: 1 }
  const called = { ...endpoint, ...sums }
  await insert('endpoint_days', { day: DAY, endpoint_key: 'a', ...called, sketch: packed(FEW, false) })
  await insert('endpoint_days', { day: DAY, endpoint_key: 'b', ...called, sketch: packed(BINNED, true) })

  const none = { runs: 0, success: 0, failure: 0, timeout: 0, skipped: 0, sum_ms: 0, call_count: 0, clean_runs: 0 }
  const pairs = binsOf(BINNED)
  const binned = { bins: pairs.map(([bin]) => bin), counts: pairs.map(([, count]) => count) }
  await insert('run_hours', { ...none, hour: EARLIER, agent_slug: 'binned', ...binned })
  await insert('run_hours', { ...none, hour: EARLIER, agent_slug: 'few', ms: FEW })
  // Two agents call the same endpoint, which has a row of its own too.
  const [one, other] = [
    cleanRuns(['a', 'b'], [11, 21, 12, 22], { ...single('s'), key: 's', definition: set('x', 'y', 'x') }),
    cleanRuns(['a'], [13], single('x')),
  ]
  await insert('run_hours', { ...none, hour: HOUR, agent_slug: 'one', ms: [32, 34], ...one })
  await insert('run_hours', { ...none, hour: HOUR, agent_slug: 'other', ms: [13], ...other })
  await insert('run_hours', { ...none, hour: HOUR, agent_slug: 'many', ms: MANY, ...cleanRuns(['many'], MANY, null) })
  await insert('endpoint_hours', {
    hour: HOUR,
    endpoint_key: 'a',
    ...called,
    status_counts: { 200: 2, none: 1 },
    ms: [500],
  })
  await insert('endpoint_hours', { hour: HOUR, endpoint_key: 'b', ...called, status_counts: {}, ...binned })

  const counted = { evaluations: 2, failures: 1, last_failed_at: EARLIER }
  await insert('assertion_hours', { hour: HOUR, assertion_key: 'x', definition: single('x').definition, ...counted })
  await insert('assertion_hours', {
    hour: HOUR,
    assertion_key: 'set',
    definition: set('y', 'z'),
    evaluations: 4,
    failures: 0,
  })
  await insert('assertion_days', { day: DAY, assertion_key: 'y', definition: single('y').definition, ...counted })
  await insert('assertion_days', {
    day: DAY,
    assertion_key: 'set',
    definition: set('x', 'y'),
    evaluations: 4,
    failures: 0,
  })
  await insert('assertion_days', {
    day: EARLIER_DAY,
    assertion_key: 'set',
    definition: set('x', 'y'),
    evaluations: 3,
    failures: 0,
  })
}

const sortedMs = (row: { ms: number[] | null; bins: number[] | null }) => ({
  ...row,
  ms: row.ms?.toSorted((a, b) => a - b),
})

test('sketches of days are unpacked', async () => {
  const runs = await database.db.select().from(runDays).orderBy(runDays.agentSlug)
  expect(runs).toMatchObject([
    { agentSlug: 'binned', ms: null, bins: binsOf(BINNED).flat(), runsByHour: [1] },
    { agentSlug: 'few', ms: FEW, bins: null },
    { agentSlug: 'none', ms: null, bins: null },
  ])
  const endpoints = await database.db.select().from(endpointDays).orderBy(endpointDays.endpointKey)
  expect(endpoints).toMatchObject([
    { endpointKey: 'a', ms: FEW, bins: null, calls: 1 },
    { endpointKey: 'b', ms: null, bins: binsOf(BINNED).flat() },
  ])
})

test('hours keep their latencies', async () => {
  const rows = await database.db.select().from(runHours).orderBy(runHours.hour, runHours.agentSlug)
  expect(rows).toMatchObject([
    { agentSlug: 'binned', ms: null, bins: binsOf(BINNED).flat() },
    { agentSlug: 'few', ms: FEW, bins: null },
    { agentSlug: 'many', ms: MANY },
    { agentSlug: 'one', ms: [32, 34] },
    { agentSlug: 'other', ms: [13] },
  ])
})

test('clean runs are added to the hours of their endpoints', async () => {
  const rows = await database.db.select().from(endpointHours).orderBy(endpointHours.endpointKey)
  const sums = (...of: number[]) => {
    const [dnsMs, connectMs, tlsMs, ttfbMs, transferMs, responseMs, sizeBytes] = of
    return { dnsMs, connectMs, tlsMs, ttfbMs, transferMs, responseMs, sizeBytes }
  }
  const binnedB = binsOf([...BINNED, 21, 22]).flat()
  expect(rows.map(sortedMs)).toMatchObject([
    {
      ...{ endpointKey: 'a', method: 'GET', template: '/a', calls: 4, failedCalls: 0, timed: 4 },
      ...{ statusCounts: { 200: 5, none: 1 }, ms: [11, 12, 13, 500], bins: null },
      ...sums(...[1, 2, 3, 4, 5, 6, 7].map((sum) => 1 + 3 * sum)),
    },
    {
      ...{ endpointKey: 'b', calls: 3, statusCounts: { 200: 2 }, bins: binnedB },
      ...sums(...[1, 2, 3, 4, 5, 6, 7].map((sum) => 1 + 2 * (10 + sum))),
    },
    { endpointKey: 'many', template: '/many', calls: 150, statusCounts: { 200: 150 }, bins: binsOf(MANY).flat() },
  ])
})

test('sets of assertions are added to the rows of their assertions', async () => {
  const hours = await database.db.select().from(assertionHours).orderBy(assertionHours.assertionKey)
  const failed = { failures: 1, lastFailedAt: new Date(EARLIER) }
  // Of two runs that evaluate x twice, and of another agent's run.
  expect(hours).toMatchObject([
    { assertionKey: 'x', definition: single('x').definition, evaluations: 2 + 4 + 1, ...failed },
    { assertionKey: 'y', definition: single('y').definition, evaluations: 4 + 2, failures: 0, lastFailedAt: null },
    { assertionKey: 'z', definition: single('z').definition, evaluations: 4, failures: 0 },
  ])
  const days = await database.db.select().from(assertionDays).orderBy(assertionDays.day, assertionDays.assertionKey)
  expect(days).toMatchObject([
    { day: new Date(EARLIER_DAY), assertionKey: 'x', evaluations: 3 },
    { day: new Date(EARLIER_DAY), assertionKey: 'y', evaluations: 3 },
    { day: new Date(DAY), assertionKey: 'x', evaluations: 4, failures: 0, lastFailedAt: null },
    { day: new Date(DAY), assertionKey: 'y', evaluations: 6, ...failed },
  ])
})
