import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { results, runDays } from '#db/schema/results.ts'
import { openStore, registerStore, storeUrl } from '#server/bodies/store.ts'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'
import type { BodyTarget } from '#server/runs/probes/body-capture.ts'
import { RECENT_PROBES } from '#server/schemas/services.ts'
import { testApi } from '#test/support/api/api.ts'
import { checkResults, checkStatistics, newWorld, type World } from '#test/support/api/statistics-checks.ts'
import { testFolder } from '#test/support/folder.ts'
import type { ResultRow } from '#test/support/oracles/statistics-oracle.ts'
import { histories, type PlannedRun, storeHistory } from '#test/support/runs/history.ts'
import { SEED } from '#test/support/seed.ts'
import { upkeep } from '#worker/tasks/upkeep.ts'

// Histories that continue while upkeep deletes expired data: results and bodies by day, then hourly and daily roll-ups. The
// oracle keeps every result that was ever stored.

const RESULT_DAYS = 20
const BODY_DAYS = 5
const FIRST = new Date('2025-03-06T13:27:41.500Z')
const folder = testFolder()
let now = FIRST
const api = testApi({
  now: () => now,
  settings: {
    DATA_DIR: folder,
    RESULT_RETENTION_DAYS: String(RESULT_DAYS),
    BODY_RETENTION_DAYS: String(BODY_DAYS),
  },
})
let bodies: BodyTarget

beforeAll(async () => {
  const url = storeUrl(api.runtime.settings)
  bodies = { ...(await registerStore(api.db, url)), store: openStore(url) }
})

/** Added to every random history: a run whose body has expired, and an expired run. */
const AGED = [BODY_DAYS + 1, RESULT_DAYS + 1].map((days): PlannedRun => {
  const calls = [{ endpoint: 0, status: 200, ms: 7, size: 6, assertions: [false] }]
  const at = new Date(FIRST.getTime() - days * DAY_MS)
  return { at, agent: 'local', status: 'success', keepsBodies: true, calls }
})

type Phase = { at: Date; lengthMs: number; one: PlannedRun[]; two: PlannedRun[] }

/** Three instants of checks, days or most of a year apart, each with the runs since the check before. */
const phases: fc.Arbitrary<Phase[]> = fc
  .tuple(
    fc.tuple(fc.constantFrom(2, 13, 30, 75), fc.nat(DAY_MS)),
    fc.tuple(fc.constantFrom(280, 340, 360), fc.nat(DAY_MS)),
  )
  .chain((gaps) => {
    const checks = [{ at: FIRST, lengthMs: 45 * DAY_MS }]
    for (const [days, ms] of gaps) {
      const last = checks.at(-1)?.at.getTime() as number
      // Some runs start before the previous check: they are stored late, into days that may be folded already.
      checks.push({ at: new Date(last + days * DAY_MS + ms), lengthMs: Math.min(days + 1, RESULT_DAYS) * DAY_MS })
    }
    const [first, second, third] = checks.map(({ at, lengthMs }) =>
      fc.record({
        at: fc.constant(at),
        lengthMs: fc.constant(lengthMs),
        one: histories(at, lengthMs),
        two: histories(at, lengthMs),
      }),
    ) as [fc.Arbitrary<Phase>, fc.Arbitrary<Phase>, fc.Arbitrary<Phase>]
    return fc.tuple(first, second, third)
  })

const rowsOf = (serviceId: string) => api.db.select().from(results).where(eq(results.serviceId, serviceId))
const keptFrom = (days: number) => new Date((Math.floor(now.getTime() / DAY_MS) - days) * DAY_MS)
const isKept = (row: ResultRow) => row.startedAt >= keptFrom(RESULT_DAYS)

test('deleted results stay in the statistics and leave all lists', async () => {
  const seen = { dropped: 0, expired: 0 }
  await fc.assert(
    fc.asyncProperty(phases, async (chosen) => {
      now = FIRST
      const world = await newWorld(api, now)
      const [own, others] = [new Map<string, ResultRow>(), new Map<string, ResultRow>()]
      for (const [i, { at, lengthMs, one, two }] of chosen.entries()) {
        now = at
        world.now = at
        await ensurePartitions(api.db, new Date(at.getTime() - lengthMs - HOUR_MS), Math.ceil(lengthMs / DAY_MS) + 1)
        await storeHistory(api.db, world.first, i === 0 ? [...one, ...AGED] : one, bodies)
        for (const row of await rowsOf(world.first.id)) own.set(row.id, row)
        if (i < 2) {
          await storeHistory(api.db, world.second, two.slice(0, 40))
          for (const row of await rowsOf(world.second.id)) others.set(row.id, row)
        }
        // Expired data is hidden before upkeep deletes it.
        await checkKept(world, [...own.values()], seen)
        await upkeep(api.db, api.runtime.settings, now)
        await checkKept(world, [...own.values()], seen)
        await checkStatistics(world, [...own.values()], [...own.values(), ...others.values()])
        expect((await rowsOf(world.first.id)).every(isKept)).toBe(true)
        if (i === 1) {
          await api.call(world.ownerKey, 'DELETE', `/services/${world.second.id}`)
          others.clear()
        }
      }
      const days = await api.db.select({ day: runDays.day }).from(runDays).where(eq(runDays.serviceId, world.first.id))
      expect(days.every(({ day }) => day >= keptFrom(400))).toBe(true)
    }),
    // No shrinking: to find a smaller history that also fails would take minutes.
    { numRuns: 2, seed: SEED, endOnFailure: true },
  )
  expect(Math.min(seen.dropped, seen.expired)).toBeGreaterThan(0)
})

/** Checks that lists, single results and bodies contain exactly the data within retention. */
async function checkKept(world: World, ever: ResultRow[], seen: { dropped: number; expired: number }): Promise<void> {
  const kept = ever.filter(isKept)
  await checkResults(world, kept)
  await checkSnapshot(world, kept)
  const path = `/services/${world.first.id}/results`
  for (const row of spread(ever.filter((row) => !isKept(row)))) {
    expect((await api.call(world.key, 'GET', `${path}/${row.id}`)).status).toBe(404)
    const [step] = row.steps
    if (step) expect((await api.call(world.key, 'GET', `${path}/${row.id}/steps/${step.id}/body`)).status).toBe(404)
    seen.dropped++
  }
  for (const row of spread(kept.filter((row) => row.steps.some((step) => step.body)))) {
    const isExpired = row.startedAt < keptFrom(BODY_DAYS)
    const { body } = await api.call<{ steps: unknown[] }>(world.key, 'GET', `${path}/${row.id}`)
    expect(body.steps).toMatchObject(
      row.steps.map((step) => ({
        id: step.id,
        hasBody: step.body !== null && !isExpired,
        bodyNotStoredReason: step.body === null ? 'not_requested' : isExpired ? 'expired' : null,
      })),
    )
    for (const step of row.steps) {
      const answer = await api.call(world.key, 'GET', `${path}/${row.id}/steps/${step.id}/body`)
      if (step.body === null || isExpired) expect(answer.status).toBe(204)
      else expect(answer.body).toEqual({ content: `call ${step.stepNum}`, contentType: 'text/plain', encoding: null })
    }
    if (isExpired) seen.expired++
  }
}

async function checkSnapshot(world: World, kept: ResultRow[]): Promise<void> {
  const path = `/services/${world.first.id}/snapshot`
  const { body } = await api.call<{ recentProbes: { timestamp: number }[] }>(world.key, 'GET', path)
  const newest = kept.map((row) => Math.floor(row.startedAt.getTime() / 1_000)).sort((a, b) => b - a)
  expect(body.recentProbes.map((probe) => probe.timestamp)).toEqual(newest.slice(0, RECENT_PROBES))
}

/** The oldest, the newest, and some between. */
function spread(rows: ResultRow[]): ResultRow[] {
  const inOrder = rows.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
  return inOrder.filter((_, i) => i === 0 || i === inOrder.length - 1 || i % Math.ceil(inOrder.length / 6) === 0)
}
