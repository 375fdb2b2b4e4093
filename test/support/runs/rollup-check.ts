import { expect } from 'vitest'
import type { Db } from '#db/client.ts'
import * as tables from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'
import { binOf, type Sketch } from '#server/results/statistics/sketch.ts'

type Result = typeof tables.results.$inferSelect

/**
 * Computes all roll-ups and the totals of all services from the results that count, and expects the stored ones to be
 * equal. Shares no code with the program that it checks.
 */
export async function checkRollups(db: Db): Promise<void> {
  const stored = (await db.select().from(tables.results)).filter(({ isUncounted }) => !isUncounted)
  await checkVersionRuns(db, stored)
  const states = await db.select().from(tables.serviceStates)
  const foldedUntil = new Map(states.map((state) => [state.serviceId, state.foldedUntil]))
  // Each run is in its hour, and in its day once the day is folded.
  const folded = stored.filter((result) => result.startedAt < (foldedUntil.get(result.serviceId) as Date))
  for (const [all, length, runTable, endpointTable, assertionTable] of [
    [stored, HOUR_MS, tables.runHours, tables.endpointHours, tables.assertionHours],
    [folded, DAY_MS, tables.runDays, tables.endpointDays, tables.assertionDays],
  ] as const) {
    const start = (row: object) => ('hour' in row ? (row.hour as Date) : (row as { day: Date }).day).getTime()
    // After a late run, rows of days remain that are not read until they are folded again.
    const isRead = (row: { serviceId: string }) =>
      length === HOUR_MS || start(row) < (foldedUntil.get(row.serviceId) as Date).getTime()
    const bucket = (result: Result) => Math.floor(result.startedAt.getTime() / length) * length

    const runs = group(all, (result) => `${result.serviceId} ${bucket(result)} ${result.agentSlug}`)
    const storedRuns = ((await db.select().from(runTable)) as (typeof tables.runDays.$inferSelect)[]).filter(isRead)
    expect(storedRuns.map((row) => `${row.serviceId} ${start(row)} ${row.agentSlug}`).sort()).toEqual(
      [...runs.keys()].sort(),
    )
    for (const row of storedRuns) {
      const own = runs.get(`${row.serviceId} ${start(row)} ${row.agentSlug}`) as Result[]
      const performed = own.filter((result) => result.status !== 'skipped')
      expect(row).toMatchObject({
        runs: performed.length,
        ...Object.fromEntries(
          (['success', 'failure', 'timeout', 'skipped'] as const).map((status) => [
            status,
            own.filter((result) => result.status === status).length,
          ]),
        ),
        sumMs: total(performed.map((result) => result.totalResponseMs)),
        callCount: total(performed.map((result) => result.callCount)),
      })
      const answered = performed.filter((result) => result.steps.some((step) => step.responseTimeMs !== null))
      checkSketch(
        row,
        answered.map((result) => result.totalResponseMs),
      )
      if (length === DAY_MS) {
        const inHour = (results: Result[], hour: number) =>
          results.filter((result) => result.startedAt.getUTCHours() === hour).length
        const failed = performed.filter((result) => result.status !== 'success')
        const hours = Array.from({ length: 24 }, (_, hour) => hour)
        expect(row.runsByHour).toEqual(hours.map((hour) => inHour(performed, hour)))
        expect(row.failedByHour).toEqual(hours.map((hour) => inHour(failed, hour)))
      }
    }

    const calls = group(
      all.flatMap((result) =>
        result.steps.filter((step) => step.outcome !== 'skipped').map((step) => ({ result, step })),
      ),
      ({ result, step }) => `${result.serviceId} ${bucket(result)} ${step.method} ${step.template}`,
    )
    const endpointRows = (
      (await db.select().from(endpointTable)) as (typeof tables.endpointDays.$inferSelect)[]
    ).filter(isRead)
    expect(endpointRows).toHaveLength(calls.size)
    for (const row of endpointRows) {
      const own = calls.get(`${row.serviceId} ${start(row)} ${row.method} ${row.template}`) ?? []
      const timed = own.map(({ step }) => step).filter((step) => step.responseTimeMs !== null)
      const statuses = group(own, ({ step }) => String(step.statusCode ?? 'none'))
      expect(row).toMatchObject({
        calls: own.length,
        failedCalls: own.filter(({ step }) => step.outcome !== 'success').length,
        timed: timed.length,
        dnsMs: total(timed.map((step) => step.dnsMs ?? 0)),
        connectMs: total(timed.map((step) => step.connectMs ?? 0)),
        tlsMs: total(timed.map((step) => step.tlsMs ?? 0)),
        ttfbMs: total(timed.map((step) => step.ttfbMs ?? 0)),
        transferMs: total(timed.map((step) => step.transferMs ?? 0)),
        responseMs: total(timed.map((step) => step.responseTimeMs ?? 0)),
        sizeBytes: total(timed.map((step) => step.responseSizeBytes ?? 0)),
      })
      expect(row.statusCounts).toEqual(
        Object.fromEntries([...statuses].map(([status, steps]) => [status, steps.length])),
      )
      checkSketch(
        row,
        timed.map((step) => step.responseTimeMs as number),
      )
    }

    const checked = all.flatMap((result) =>
      result.steps.flatMap((step) => (step.assertionResults as { outcome: string }[]).map((one) => ({ result, one }))),
    )
    const storedChecks = (
      (await db.select().from(assertionTable)) as (typeof tables.assertionDays.$inferSelect)[]
    ).filter(isRead)
    for (const [key, own] of group(checked, ({ result }) => `${result.serviceId} ${bucket(result)}`)) {
      const rows = storedChecks.filter((row) => `${row.serviceId} ${start(row)}` === key)
      const failed = own.filter(({ one }) => one.outcome === 'failed')
      expect(total(rows.map((row) => row.evaluations))).toBe(own.length)
      expect(total(rows.map((row) => row.failures))).toBe(failed.length)
      const latest = Math.max(...rows.map((row) => row.lastFailedAt?.getTime() ?? 0))
      expect(latest).toBe(Math.max(0, ...failed.map(({ result }) => result.startedAt.getTime())))
    }
  }

  for (const state of states) {
    const own = stored.filter((result) => result.serviceId === state.serviceId && result.status !== 'skipped')
    const of = (status: string) => own.filter((result) => result.status === status).length
    expect(state).toMatchObject({
      probesTotal: own.length,
      probesSuccess: of('success'),
      probesFailure: of('failure'),
      probesTimeout: of('timeout'),
    })
  }
}

function checkSketch({ ms, bins }: Sketch, latencies: number[]): void {
  if (bins === null) {
    expect([...(ms ?? [])].sort(ascending)).toEqual([...latencies].sort(ascending))
    expect(latencies.length).toBeLessThanOrEqual(128)
    return
  }
  const counted = [...group(latencies, (value) => binOf(value))].sort(([a], [b]) => a - b)
  expect(bins).toEqual(counted.flatMap(([bin, own]) => [bin, own.length]))
  expect(ms).toBeNull()
  expect(latencies.length).toBeGreaterThan(128)
}

const ascending = (a: number, b: number) => a - b
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

function group<T, K>(items: T[], key: (item: T) => K): Map<K, T[]> {
  return Map.groupBy(items, key)
}

async function checkVersionRuns(db: Db, stored: Result[]): Promise<void> {
  const versioned = stored.filter((result) => result.scriptVersion !== null)
  const expected = group(versioned, (result) => `${result.serviceId} ${result.scriptVersion}`)
  const rows = await db.select().from(tables.versionRuns)
  expect(rows.map((row) => `${row.serviceId} ${row.version}`).sort()).toEqual([...expected.keys()].sort())
  for (const row of rows) {
    const own = expected.get(`${row.serviceId} ${row.version}`) as Result[]
    const starts = own.map((result) => result.startedAt.getTime())
    expect(row).toMatchObject({
      firstRunAt: new Date(Math.min(...starts)),
      lastRunAt: new Date(Math.max(...starts)),
      runs: own.length,
      failed: own.filter((result) => result.status !== 'success').length,
    })
  }
}
