import { and, asc, eq, gte, lt } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensurePartitions } from '#db/partitions.ts'
import { endpointHours, packedDays, recentLatencies, runHours } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'
import { foldDays } from '#server/record/rollups/days.ts'
import { PackedDay, type PackedSeries, packDay } from '#server/statistics/packed-days.ts'
import { type PartRow, type Points, pointsOf } from '#server/statistics/points.ts'
import { mergeSketches } from '#server/statistics/sketch.ts'
import { testApi } from '#test/support/api/api.ts'
import { newWorld, type World } from '#test/support/api/statistics-checks.ts'
import { histories, type PlannedRun, storeHistory } from '#test/support/runs/history.ts'
import { mergeRecentLatencies } from '#worker/tasks/recent-latencies.ts'

// A Thursday, in the middle of an hour.
const NOW = new Date('2026-11-19T13:27:41.500Z')
const TODAY = new Date('2026-11-19T00:00:00Z')
const PACKED = new Date('2026-11-17T00:00:00Z')
let now = NOW
const api = testApi({ now: () => now, settings: { RESULT_RETENTION_DAYS: '120' } })

beforeAll(() => ensurePartitions(api.db, new Date(NOW.getTime() - 105 * DAY_MS), 107))

const latency = fc.oneof(fc.nat(40), fc.nat(120_000), fc.constant(2 ** 31 - 1))
const row = fc
  .record({
    bucket: fc.nat(23),
    part: fc.nat(4),
    count: fc.nat(70_000),
    failed: fc.nat(300),
    ms: fc.array(latency, { maxLength: 200 }),
  })
  .map(({ part, ms, ...row }): PartRow => {
    const latencies = mergeSketches([{ ms, bins: null, counts: null }])
    return { ...row, name: [`key ${part}`, 'GET', `https://shöp.example/${'x'.repeat(part * 80)}`], latencies }
  })
const dayRows = fc.uniqueArray(row, { selector: ({ bucket, name }) => `${bucket} ${name[0]}`, maxLength: 60 })

function pointsIn(series: PackedSeries | null): Points {
  const points: Points = []
  series?.forEach((hour, point) => {
    points[hour] = point
  })
  return points
}

test('a packed day has the points of its rows, of each part and of all', async () => {
  await fc.assert(
    fc.asyncProperty(dayRows, async (rows) => {
      const day = new PackedDay(await packDay(rows))
      const unpacked = [...day.parts()].map(({ name, series }) => ({ name, points: pointsIn(series) }))
      const parts = [...Map.groupBy(rows, ({ name }) => name[0]).values()] as [PartRow, ...PartRow[]][]
      const expected = parts.map(async (own) => ({ name: own[0].name, points: await pointsOf(own) }))
      expect(unpacked).toEqual(await Promise.all(expected))
      expect(pointsIn(day.all)).toEqual(await pointsOf(rows))
    }),
  )
})

test('hours that are packed one after another are a day that is packed at once', async () => {
  await fc.assert(
    fc.asyncProperty(dayRows, fc.array(fc.nat(24), { maxLength: 4 }), async (rows, borders) => {
      let day: Buffer | null = null
      let packedUntil = 0
      for (const until of [...borders.toSorted((a, b) => a - b), 24]) {
        const hours = rows.filter(({ bucket }) => bucket >= packedUntil && bucket < until)
        day = await packDay(hours, day && new PackedDay(day))
        packedUntil = until
      }
      const partsOf = (bytes: Buffer) =>
        [...new PackedDay(bytes).parts()]
          .map(({ name, series }) => ({ name, points: pointsIn(series) }))
          .toSorted((a, b) => (a.name[0] < b.name[0] ? -1 : 1))
      const atOnce = await packDay(rows)
      expect(partsOf(day as Buffer)).toEqual(partsOf(atOnce))
      expect(pointsIn(new PackedDay(day as Buffer).all)).toEqual(pointsIn(new PackedDay(atOnce).all))
    }),
  )
})

const run = (at: Date, ms: number): PlannedRun => ({
  ...{ at, agent: 'local', status: 'success', keepsBodies: false },
  calls: [{ endpoint: 0, status: 200, ms, size: 6, assertions: [] }],
})

/** Runs at noon of the last nine days, so that a day before the window is packed too. */
const daily = Array.from({ length: 9 }, (_, i) => run(new Date(TODAY.getTime() - i * DAY_MS + 12 * HOUR_MS), 7 + i))

const packedOf = ({ first }: World) =>
  api.db.select().from(packedDays).where(eq(packedDays.serviceId, first.id)).orderBy(asc(packedDays.day))

async function answersOf({ api, key, first }: World): Promise<unknown[]> {
  const paths = ['statistics', 'statistics/endpoint-series'].map((name) => `/services/${first.id}/metrics/${name}`)
  const asked = paths.flatMap((path) =>
    ['24h', '7d', '30d'].map((window) => api.call(key, 'GET', path, { query: { window } })),
  )
  return (await Promise.all(asked)).map((answer) => {
    expect(answer.status).toBe(200)
    return answer.body
  })
}

const recentOf = ({ first }: World) =>
  api.db.select().from(recentLatencies).where(eq(recentLatencies.serviceId, first.id))

/** The answers without packed days and without packed hours of today, which are put back. */
async function answersFromHours(world: World): Promise<unknown[]> {
  const [packed, recent] = [await packedOf(world), await recentOf(world)]
  await api.db.delete(packedDays).where(eq(packedDays.serviceId, world.first.id))
  await api.db.delete(recentLatencies).where(eq(recentLatencies.serviceId, world.first.id))
  const answers = await answersOf(world)
  if (packed.length > 0) await api.db.insert(packedDays).values(packed)
  if (recent.length > 0) await api.db.insert(recentLatencies).values(recent)
  return answers
}

describe('statistics over days, a week and a month', () => {
  test('are the same from packed days as from hours, also when late runs are added to packed days', async () => {
    await fc.assert(
      fc.asyncProperty(histories(NOW, 10 * DAY_MS), histories(NOW, 10 * DAY_MS), async (inTime, late) => {
        now = NOW
        const world = await newWorld(api, now)
        await storeHistory(api.db, world.first, [...daily, ...inTime])
        await mergeRecentLatencies(api.db, now)
        expect(await answersOf(world)).toEqual(await answersFromHours(world))
        await foldDays(api.db, now)
        expect(await packedOf(world)).not.toHaveLength(0)
        expect(await answersOf(world)).toEqual(await answersFromHours(world))
        await storeHistory(api.db, world.first, late)
        expect(await answersOf(world)).toEqual(await answersFromHours(world))
        for (const hours of [0, 1, 5, 11]) {
          now = new Date(NOW.getTime() + hours * HOUR_MS)
          await mergeRecentLatencies(api.db, now)
          expect(await answersOf(world)).toEqual(await answersFromHours(world))
        }
        now = new Date(NOW.getTime() + DAY_MS)
        await foldDays(api.db, now)
        expect(await answersOf(world)).toEqual(await answersFromHours(world))
      }),
      { numRuns: 4 },
    )
  })

  test('read no hours of packed days, and those of other days', async () => {
    now = NOW
    const world = await newWorld(api, now)
    await storeHistory(api.db, world.first, daily)
    await foldDays(api.db, now)
    // Of the eight days before today.
    expect((await packedOf(world)).map(({ day }) => (TODAY.getTime() - day.getTime()) / DAY_MS)).toEqual([
      8, 7, 6, 5, 4, 3, 2, 1,
    ])
    const before = await answersOf(world)
    const hours = await hoursOf(world)
    expect(hours.map((rows) => rows.length)).toEqual([1, 1])
    await deleteHours(world)
    expect(await answersOf(world)).toEqual(before)
    // As after an upgrade from a release that packs no days.
    await api.db.delete(packedDays).where(eq(packedDays.serviceId, world.first.id))
    expect(await answersOf(world)).not.toEqual(before)
    await api.db.insert(runHours).values(hours[0])
    await api.db.insert(endpointHours).values(hours[1])
    expect(await answersOf(world)).toEqual(before)
  })

  test('read no complete hours of today, hour by hour, until a run comes late', async () => {
    now = NOW
    const world = await newWorld(api, now)
    const early = [1, 4].map((hour) => run(new Date(TODAY.getTime() + hour * HOUR_MS), 40 + hour))
    await storeHistory(api.db, world.first, [...daily, ...early])
    await foldDays(api.db, now)
    await mergeRecentLatencies(api.db, new Date(TODAY.getTime() + 3 * HOUR_MS))
    await mergeRecentLatencies(api.db, now)
    const before = await answersOf(world)
    expect(before).toEqual(await answersFromHours(world))
    const today = await hoursOf(world, TODAY)
    expect(today.map((rows) => rows.length)).toEqual([3, 3])
    await deleteHours(world, TODAY)
    expect(await answersOf(world)).toEqual(before)
    await api.db.insert(runHours).values(today[0])
    await api.db.insert(endpointHours).values(today[1])

    // The hour that is not over is read from its own rows.
    await storeHistory(api.db, world.first, [run(now, 77)])
    expect(await recentOf(world)).toHaveLength(1)
    const during = await answersOf(world)
    expect(during).toEqual(await answersFromHours(world))
    expect(JSON.stringify(during)).toContain('"p50Ms":77')

    await storeHistory(api.db, world.first, [run(new Date(TODAY.getTime() + 4 * HOUR_MS), 911)])
    expect(await recentOf(world)).toHaveLength(0)
    expect(await answersOf(world)).toEqual(await answersFromHours(world))
    // With too many rows of endpoints, only latencies are merged.
    await mergeRecentLatencies(api.db, now, 2)
    expect(await recentOf(world)).toMatchObject([{ sketch: expect.any(Buffer), packedUntil: null, endpointSums: null }])
    expect(await answersOf(world)).toEqual(await answersFromHours(world))
    await mergeRecentLatencies(api.db, new Date(now.getTime() + HOUR_MS))
    expect(await recentOf(world)).not.toMatchObject([{ packedUntil: null }])
    expect(JSON.stringify(await answersOf(world))).toContain('"p99Ms":911')
  })

  test('do not read hours that a process of the former release has moved away from', async () => {
    now = NOW
    const world = await newWorld(api, now)
    await storeHistory(api.db, world.first, daily)
    await mergeRecentLatencies(api.db, now)
    // Its clock was behind: a run of the hour that is packed was then stored as one in time.
    await api.db
      .update(recentLatencies)
      .set({ hour: new Date(TODAY.getTime() + 10 * HOUR_MS) })
      .where(eq(recentLatencies.serviceId, world.first.id))
    await storeHistory(api.db, world.first, [run(new Date(TODAY.getTime() + 12 * HOUR_MS), 555)])
    expect(await recentOf(world)).toHaveLength(1)
    expect(await answersOf(world)).toEqual(await answersFromHours(world))
    await mergeRecentLatencies(api.db, now)
    expect(await answersOf(world)).toEqual(await answersFromHours(world))
  })

  test('count a late run at once, and the day is packed again when the next day is folded', async () => {
    now = NOW
    const world = await newWorld(api, now)
    await storeHistory(api.db, world.first, daily)
    await foldDays(api.db, now)
    // A release that packs no days stores it in the same way.
    await storeHistory(api.db, world.first, [run(new Date(PACKED.getTime() + 5 * HOUR_MS), 900)])
    const late = await answersOf(world)
    expect(late).toEqual(await answersFromHours(world))
    expect(JSON.stringify(late)).toContain('"p50Ms":900')
    expect((await packedOf(world)).map(({ results }) => results)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])

    now = new Date(NOW.getTime() + DAY_MS)
    await foldDays(api.db, now)
    const packed = await packedOf(world)
    expect(packed.find(({ day }) => day.getTime() === PACKED.getTime())).toMatchObject({ results: 2 })
    const answers = await answersOf(world)
    expect(answers).toEqual(await answersFromHours(world))
    await deleteHours(world)
    expect(await answersOf(world)).toEqual(answers)
  })
})

const onDay = (world: World, table: typeof runHours | typeof endpointHours, day: Date) =>
  and(eq(table.serviceId, world.first.id), gte(table.hour, day), lt(table.hour, new Date(day.getTime() + DAY_MS)))

async function hoursOf(world: World, day = PACKED) {
  return [
    await api.db
      .select()
      .from(runHours)
      .where(onDay(world, runHours, day)),
    await api.db
      .select()
      .from(endpointHours)
      .where(onDay(world, endpointHours, day)),
  ] as const
}

async function deleteHours(world: World, day = PACKED): Promise<void> {
  for (const table of [runHours, endpointHours]) await api.db.delete(table).where(onDay(world, table, day))
}
