import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { and, eq, inArray } from '#db/drizzle.cjs'
import { ConnectionBroken } from '#db/errors.ts'
import { results, runDays, runHours, type StoredStep, serviceStates } from '#db/schema/results.ts'
import { runs } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import type { FinishedRun } from '#server/runs/record/finished-run.ts'
import { foldDays } from '#server/runs/record/rollups/days.ts'
import { finishAndStoreRuns } from '#server/runs/record/store-runs.ts'
import { createRecordWriter, retryDelayMs } from '#server/runs/record/writer.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { checkRollups } from '#test/support/runs/rollup-check.ts'
import { randomNumbers } from '#test/support/seed.ts'
import { statementsOf } from '#test/support/statements.ts'

const database = probedDatabase()
const OPTIONS = { variablesMax: 3 }
const AGENTS = ['a', 'b'].map((slug) => ({ agentId: uuidv7(), agentSlug: slug }))
let services: ProbedService[]

beforeAll(async () => {
  services = []
  for (let i = 0; i < 2; i++) services.push(await database.createProbedService('get("http://a.example/")'))
})

const next = randomNumbers()

function step(num: number): StoredStep {
  const outcome = (['success', 'success', 'success', 'failure', 'timeout', 'skipped'] as const)[next(6)] ?? 'success'
  const answered = outcome === 'success' || (outcome === 'failure' && next(2) === 0)
  const ms = answered ? next(next(10) === 0 ? 60_000 : 300) : null
  return {
    id: uuidv7(),
    stepNum: num,
    requestUrl: outcome === 'skipped' ? null : 'http://a.example/',
    method: next(2) ? 'GET' : 'POST',
    template: `http://a.example/${next(3)}`,
    statusCode: answered ? 200 + next(3) : null,
    responseTimeMs: ms,
    dnsMs: answered ? next(5) : null,
    connectMs: answered ? next(5) : null,
    tlsMs: answered ? next(5) : null,
    ttfbMs: answered ? next(50) : null,
    transferMs: answered ? next(50) : null,
    responseSizeBytes: answered ? next(10_000) : null,
    outcome,
    error: null,
    assertionResults: answered
      ? [{ outcome: next(3) ? 'passed' : 'failed' }, { outcome: next(5) ? 'passed' : 'indeterminate' }]
      : [],
    headers: {},
    body: null,
    bodyNotStoredReason: 'no_body',
  }
}

/** Returns a run of the service that ended in one of many ways, in the last 25 hours. */
function ended(service: ProbedService, given: Partial<FinishedRun> = {}): FinishedRun {
  const startedAt = new Date(Date.now() - next(24) * HOUR_MS * (next(3) === 0 ? 1 : 0) - next(3_000_000))
  const steps = Array.from({ length: 1 + next(3) }, (_, i) => step(i + 1))
  const performed = steps.filter((one) => one.outcome !== 'skipped')
  const status = (['success', 'success', 'failure', 'timeout'] as const)[next(4)] ?? 'success'
  const agent = AGENTS[next(2)] as (typeof AGENTS)[number]
  return {
    id: uuidv7(),
    attempt: 1,
    organizationId: service.organizationId,
    serviceId: service.id,
    ...agent,
    result: {
      id: createIdAt(startedAt),
      startedAt,
      status,
      runDurationMs: next(1_000),
      totalResponseMs: performed.reduce((sum, one) => sum + (one.responseTimeMs ?? 0), 0),
      callCount: performed.length,
      failedCalls: performed.filter((one) => one.outcome !== 'success').length,
      raw: { outcome: status, calls: steps.map(() => ({ warnings: [] })) },
      steps,
    },
    isTimed: performed.some((one) => one.responseTimeMs !== null),
    assertions: steps.flatMap((one) =>
      (one.assertionResults as { outcome: string }[]).map(({ outcome }, i) => ({
        key: `${one.method} ${one.template} ${i}`,
        definition: { method: one.method, template: one.template, index: i },
        failed: outcome === 'failed',
      })),
    ),
    failedAssertions: [],
    failedAssertionCount: 0,
    writeBacks: [],
    ...given,
  }
}

/** Inserts the rows of runs that are claimed. */
async function insertRunning(made: FinishedRun[]): Promise<void> {
  const rows = made.map(({ id, organizationId, serviceId, agentId }) => ({
    ...{ id, organizationId, serviceId, agentId },
    slot: new Date(1_700_000_000_000 + next(2_000_000_000)),
    cause: 'schedule' as const,
    state: 'running' as const,
    attempt: 1,
  }))
  await database.db.insert(runs).values(rows)
}

/** Inserts a running run and returns it finished. */
async function finished(service: ProbedService, given: Partial<FinishedRun> = {}): Promise<FinishedRun> {
  const run = ended(service, given)
  await insertRunning([run])
  return run
}

async function many(count: number): Promise<FinishedRun[]> {
  const made = Array.from({ length: count }, () => ended(services[next(services.length)] as ProbedService))
  await insertRunning(made)
  return made
}

describe('the attempt number', () => {
  test('stores a run once, even if it is written several times', async () => {
    const run = await finished(services[0] as ProbedService)
    const answers = await Promise.all([1, 2, 3, 4].map(() => finishAndStoreRuns(database.db, [run], OPTIONS)))
    expect(answers.filter((ids) => ids.has(run.id))).toHaveLength(1)
    expect(await database.db.$count(results, eq(results.id, run.result.id))).toBe(1)
    await checkRollups(database.db)
  })

  test.each(['waiting', 'done'] as const)('keeps out a run that is %s', async (state) => {
    const run = await finished(services[0] as ProbedService)
    await database.db.update(runs).set({ state }).where(eq(runs.id, run.id))
    expect((await finishAndStoreRuns(database.db, [run], OPTIONS)).size).toBe(0)
    expect(await database.db.$count(results, eq(results.id, run.result.id))).toBe(0)
    await database.db.delete(runs).where(eq(runs.id, run.id))
  })

  test('stores the late result of a run that is queued again, until another attempt begins', async () => {
    const [late, later] = await many(2)
    await database.db
      .update(runs)
      .set({ state: 'queued' })
      .where(inArray(runs.id, [late!.id, later!.id]))
    await database.db.update(runs).set({ attempt: 2 }).where(eq(runs.id, later!.id))
    expect([...(await finishAndStoreRuns(database.db, [late!, later!], OPTIONS))]).toEqual([late!.id])
    await database.db.delete(runs).where(eq(runs.id, later!.id))
  })

  test('stores a run once that a batch holds twice, and no outdated attempt beside it', async () => {
    const [run] = await many(1)
    await database.db.update(runs).set({ attempt: 2 }).where(eq(runs.id, run!.id))
    const sent = await Promise.all(
      [1, 2, 2].map(async (attempt) => ({
        ...run!,
        attempt,
        result: { ...run!.result, id: createIdAt(run!.result.startedAt) },
      })),
    )
    expect([...(await finishAndStoreRuns(database.db, sent, OPTIONS))]).toEqual([run!.id])
    expect(
      await database.db.$count(
        results,
        inArray(
          results.id,
          sent.map(({ result }) => result.id),
        ),
      ),
    ).toBe(1)
    await checkRollups(database.db)
  })

  test('keeps out an outdated attempt', async () => {
    const run = await finished(services[0] as ProbedService)
    await database.db.update(runs).set({ attempt: 2 }).where(eq(runs.id, run.id))
    expect((await finishAndStoreRuns(database.db, [run], OPTIONS)).size).toBe(0)
    expect((await finishAndStoreRuns(database.db, [{ ...run, attempt: 2 }], OPTIONS)).size).toBe(1)
  })
})

/** The database with transactions that `around` begins. */
function onTransaction(around: <T>(transact: () => Promise<T>) => Promise<T>): typeof database.db {
  return new Proxy(database.db, {
    get: (target, property) => {
      if (property !== 'transaction') return Reflect.get(target, property)
      return (work: Parameters<typeof target.transaction>[0]) => around(() => target.transaction(work))
    },
  })
}

function countTransactions() {
  let begun = 0
  const db = onTransaction((transact) => {
    begun++
    return transact()
  })
  return { db, begun: () => begun }
}

describe('the writer', () => {
  test('stores the rest of a batch when the database refuses one result', async () => {
    const [bad, ...good] = await many(20)
    const writer = createRecordWriter(database.db, OPTIONS)
    bad!.result = { ...bad!.result, raw: { text: 'a\u0000b' } }
    const stored = await Promise.all([bad!, ...good].map((run) => writer.write(run)))
    expect(stored.every(Boolean)).toBe(true)
    const [kept] = await database.db
      .select()
      .from(results)
      .where(and(eq(results.serviceId, bad!.serviceId), eq(results.startedAt, bad!.result.startedAt)))
    const error = 'Soundline could not record this result: a value in it must not contain the character U+0000'
    expect(kept).toMatchObject({ status: 'failure', summary: error, raw: { error } })
    await checkRollups(database.db)
  })

  test('finds the result of a batch that cannot be stored, and tries nothing again', async () => {
    const made = await many(40)
    const [refused, faulty] = [made[7]!, made[21]!]
    refused.result.totalResponseMs = 2
    refused.result.steps = refused.result.steps.map((one) => ({ ...one, responseTimeMs: 0.5, outcome: 'success' }))
    // Recording it throws: a refused value adds a warning to its call.
    faulty.result = { ...faulty.result, status: 'success', raw: { calls: [{ warnings: null }] } }
    faulty.writeBacks = [{ key: 'not a name', value: '1', callIndex: 0 }]
    const { db, begun } = countTransactions()
    const writer = createRecordWriter(db, OPTIONS)
    const stored = await Promise.all(made.map((run) => writer.write(run)))
    expect(stored.every(Boolean)).toBe(true)
    const summaries = await Promise.all(
      made.map(async ({ result }) => {
        const [row] = await database.db.select().from(results).where(eq(results.id, result.id))
        return row!.summary?.startsWith('Soundline') ? row!.summary : ''
      }),
    )
    const expected = made.map((run) => {
      if (run === refused)
        return 'Soundline could not record this result: it has a value that the database cannot store'
      return run === faulty ? 'Soundline could not record this result: an internal error occurred' : ''
    })
    expect(summaries).toEqual(expected)
    // The first run alone, a batch of 39, and for each culprit at most six halvings of it and its failed form.
    expect(begun()).toBeLessThanOrEqual(2 + 2 * (2 * 6 + 1))
    await checkRollups(database.db)
  })

  test('adds the warning of a refused value once, although its batch is tried again', async () => {
    const [first, run, bad] = (await many(3)) as [FinishedRun, FinishedRun, FinishedRun]
    run.writeBacks = [{ key: 'not a name', value: '1', callIndex: 0 }]
    bad.result.totalResponseMs = 2
    bad.result.steps = bad.result.steps.map((one) => ({ ...one, responseTimeMs: 0.5, outcome: 'success' }))
    const writer = createRecordWriter(database.db, OPTIONS)
    // The first run is stored alone. The other two are one batch, which is halved.
    const stored = await Promise.all([first, run, bad].map((one) => writer.write(one)))
    expect(stored).toEqual([true, true, true])
    const [row] = await database.db.select().from(results).where(eq(results.id, run.result.id))
    const raw = row?.raw as { calls: { warnings: string[] }[] }
    expect(raw.calls.map(({ warnings }) => warnings.length)).toEqual(raw.calls.map((_, i) => (i === 0 ? 1 : 0)))
  })

  test('pauses for 100 ms after the first attempt, then twice as long each time, up to two seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map(retryDelayMs)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000])
    expect(retryDelayMs(600)).toBe(2_000)
  })

  test('drops a run that cannot be stored even as failed, once', async () => {
    const [run, other] = await many(2)
    const { db, begun } = countTransactions()
    const writer = createRecordWriter(db, OPTIONS)
    const unstorable = { ...run!, agentId: 'no id' }
    expect(await Promise.all([unstorable, other!].map((one) => writer.write(one)))).toEqual([true, true])
    expect(begun()).toBe(4)
    const rows = await database.db
      .select({ state: runs.state })
      .from(runs)
      .where(inArray(runs.id, [run!.id, other!.id]))
    expect(rows).toEqual([{ state: 'done' }, { state: 'done' }])
    expect(await database.db.$count(results, eq(results.id, run!.result.id))).toBe(0)
  })

  test('leaves out a run whose service was deleted', async () => {
    const service = await database.createProbedService('get("http://a.example/")')
    const run = await finished(service)
    const [other] = await many(1)
    await database.db.delete(runs).where(eq(runs.id, run.id))
    const writer = createRecordWriter(database.db, OPTIONS)
    expect(await Promise.all([run, other!].map((one) => writer.write(one)))).toEqual([false, true])
  })

  test.each(['40P01', '40001', '53200', '55P03', '57014', '08006'])('tries again after %s', async (code) => {
    const batch = await many(3)
    let failures = 2
    const db = onTransaction(async (transact) => {
      if (failures-- > 0) throw Object.assign(new Error('passing'), { code })
      return transact()
    })
    const writer = createRecordWriter(db, OPTIONS)
    expect(await Promise.all(batch.map((run) => writer.write(run)))).toEqual([true, true, true])
    const stored = await database.db
      .select()
      .from(results)
      .where(
        inArray(
          results.id,
          batch.map((run) => run.result.id),
        ),
      )
    expect(stored.every(({ summary }) => !summary?.startsWith('Soundline'))).toBe(true)
  })

  test('recognizes its own results after the response to their commit was lost', async () => {
    const batch = await many(7)
    let answers = 0
    const db = onTransaction(async (transact) => {
      const answer = await transact()
      if (answers++ === 0) throw new ConnectionBroken('the connection was closed')
      return answer
    })
    const writer = createRecordWriter(db, OPTIONS)
    expect(await Promise.all(batch.map((run) => writer.write(run)))).toEqual(Array(7).fill(true))
    const ids = batch.map((run) => run.result.id)
    expect(await database.db.$count(results, inArray(results.id, ids))).toBe(7)
    await checkRollups(database.db)
  })

  test('creates a missing partition', async () => {
    const startedAt = new Date(Date.now() + 40 * DAY_MS)
    const run = await finished(services[0] as ProbedService)
    run.result = { ...run.result, id: createIdAt(startedAt), startedAt }
    expect(await createRecordWriter(database.db, OPTIONS).write(run)).toBe(true)
    expect(await database.db.$count(results, eq(results.id, run.result.id))).toBe(1)
  })
})

describe('write-backs', () => {
  const back = (key: string, value: string) => ({ key, value, callIndex: 0 })
  const metrics = async (service: ProbedService) => {
    const rows = await database.db.select().from(variables).where(eq(variables.serviceId, service.id))
    return Object.fromEntries(rows.filter((row) => row.systemType === null).map((row) => [row.key, row.value]))
  }

  test('stop at the limit of the scope, which does not count system variables', async () => {
    const service = await database.createProbedService('get("http://a.example/")')
    const run = await finished(service, { writeBacks: ['a', 'b', 'c', 'd'].map((key) => back(key, '1')) })
    await finishAndStoreRuns(database.db, [run], OPTIONS)
    expect(await metrics(service)).toEqual({ a: '1', b: '1', c: '1' })
    const again = await finished(service, { writeBacks: [back('a', '2'), back('e', '2')] })
    await finishAndStoreRuns(database.db, [again], OPTIONS)
    expect(await metrics(service)).toEqual({ a: '2', b: '1', c: '1' })
    const [stored] = await database.db.select().from(results).where(eq(results.id, again.result.id))
    const raw = stored?.raw as { calls: { warnings: string[] }[] }
    expect(raw.calls[0]?.warnings).toEqual([
      '"e" was not written back: the service has reached its limit of 3 variables',
    ])
  })

  test('of one name in a batch leave the last value', async () => {
    const service = await database.createProbedService('get("http://a.example/")')
    const batch = [
      await finished(service, { writeBacks: [back('a', '1'), back('a', '2')] }),
      await finished(service, { writeBacks: [back('a', '3')] }),
    ]
    await finishAndStoreRuns(database.db, batch, OPTIONS)
    expect(await metrics(service)).toEqual({ a: '3' })
  })

  test('with an invalid or reserved name, or a value that is too long, are dropped', async () => {
    const service = await database.createProbedService('get("http://a.example/")')
    const refused = [
      back('9x', '1'),
      back('x'.repeat(65), '1'),
      back('long', 'x'.repeat(4_097)),
      back('lastStatus', '1'),
    ]
    await finishAndStoreRuns(
      database.db,
      [await finished(service, { writeBacks: [...refused, back('ok', '1')] })],
      OPTIONS,
    )
    expect(await metrics(service)).toEqual({ ok: '1' })
  })

  test('leave a metric editable that the API created', async () => {
    const service = await database.createProbedService('get("http://a.example/")')
    const id = uuidv7()
    const { organizationId, id: serviceId } = service
    await database.db.insert(variables).values({ id, organizationId, serviceId, key: 'm', type: 'metric', value: '1' })
    await finishAndStoreRuns(database.db, [await finished(service, { writeBacks: [back('m', '2')] })], OPTIONS)
    const [row] = await database.db.select().from(variables).where(eq(variables.id, id))
    expect(row).toMatchObject({ value: '2', isScriptWritten: false })
  })

  test('of many runs at once respect the limit', async () => {
    const service = await database.createProbedService('get("http://a.example/")')
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, i) => finished(service, { writeBacks: [back(`k${i}`, '1')] })),
    )
    await Promise.all(made.map((run) => finishAndStoreRuns(database.db, [run], OPTIONS)))
    expect(Object.keys(await metrics(service))).toHaveLength(3)
  })
})

test('every run of a service is counted, and its state is updated one run at a time', async () => {
  const made = await many(20)
  const ids = services.map((service) => service.id)
  const before = await database.db.select().from(serviceStates).where(inArray(serviceStates.serviceId, ids))
  await Promise.all(made.map((run) => finishAndStoreRuns(database.db, [run], OPTIONS)))
  const after = await database.db.select().from(serviceStates).where(inArray(serviceStates.serviceId, ids))
  const sum = (rows: typeof after) => rows.reduce((total, row) => total + row.probesTotal, 0)
  expect(sum(after) - sum(before)).toBe(20)
  await checkRollups(database.db)
})

test('a batch takes the statements of one run, in one order', async () => {
  const made: FinishedRun[] = []
  for (let i = 0; i < 12; i++) {
    const service = await database.createProbedService('get("http://a.example/")')
    const { result, ...run } = await finished(service, { assertions: [] })
    made.push({ ...run, isTimed: false, result: { ...result, status: 'success', scriptVersion: 1, steps: [] } })
  }
  const isOfHours = (text: string) => /run_hours|recent_latencies|folded_until/.test(text)
  const written = async (batch: FinishedRun[]) => {
    const sent = await statementsOf(() => finishAndStoreRuns(database.db, batch, OPTIONS))
    return sent
      .filter((text) => !isOfHours(text))
      .flatMap((text) => /(?:insert into|update) "?(\w+)/.exec(text)?.[1] ?? [])
  }
  const tables = ['runs', 'service_states', 'results', 'service_states', 'service_agent_states', 'version_runs']
  expect(await written(made.slice(0, 1))).toEqual(tables)
  expect(await written(made.slice(1))).toEqual(tables)
})

// Last, because every check reads all results of the file.
describe('roll-ups', () => {
  test('equal the sums of the results, with several writers at once', async () => {
    const made = await many(600)
    const writers = [0, 1, 2].map(() => createRecordWriter(database.db, OPTIONS))
    const stored = await Promise.all(made.map((run, i) => writers[i % 3]!.write(run)))
    expect(stored.every(Boolean)).toBe(true)
    const ids = made.map(({ result }) => result.id)
    expect(await database.db.$count(results, inArray(results.id, ids))).toBe(600)
    await checkRollups(database.db)
  })

  test('are folded into days once, even while runs are stored', async () => {
    const now = new Date()
    const [before, meanwhile, after] = [await many(200), await many(200), await many(100)]
    const writers = [0, 1].map(() => createRecordWriter(database.db, OPTIONS))
    const write = (made: FinishedRun[]) => Promise.all(made.map((run, i) => writers[i % 2]!.write(run)))
    await write(before)
    await Promise.all([write(meanwhile), foldDays(database.db, now), foldDays(database.db, now)])
    await write(after)
    await checkRollups(database.db)
    await foldDays(database.db, now)
    await foldDays(database.db, new Date(now.getTime() + 2 * DAY_MS))
    await checkRollups(database.db)
    // Some buckets have enough values for both forms of a sketch.
    const [hours, days] = [await database.db.select().from(runHours), await database.db.select().from(runDays)]
    expect(hours.some((hour) => hour.ms !== null)).toBe(true)
    expect(days.some((day) => day.bins !== null)).toBe(true)
  })
})
