import { and, asc, eq, gte, lt } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensurePartitions } from '#db/partitions.ts'
import { endpointHours, packedDays, runHours } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'
import { foldDays } from '#server/record/days.ts'
import { PackedDay, type PackedSeries, packDay } from '#server/statistics/packed-days.ts'
import { type PartRow, type Points, pointsOf } from '#server/statistics/points.ts'
import { mergeSketches } from '#server/statistics/sketch.ts'
import { testApi } from '#test/support/api/api.ts'
import { newWorld, type World } from '#test/support/api/statistics-checks.ts'
import { histories, type PlannedRun, storeHistory } from '#test/support/runs/history.ts'

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
    ['24h', '7d'].map((window) => api.call(key, 'GET', path, { query: { window } })),
  )
  return (await Promise.all(asked)).map((answer) => {
    expect(answer.status).toBe(200)
    return answer.body
  })
}

/** The answers without packed days, which are put back. */
async function answersFromHours(world: World): Promise<unknown[]> {
  const packed = await packedOf(world)
  await api.db.delete(packedDays).where(eq(packedDays.serviceId, world.first.id))
  const answers = await answersOf(world)
  if (packed.length > 0) await api.db.insert(packedDays).values(packed)
  return answers
}

describe('the statistics of a week and of a day', () => {
  test('are the same from packed days as from hours, also when late runs are added to packed days', async () => {
    await fc.assert(
      fc.asyncProperty(histories(NOW, 10 * DAY_MS), histories(NOW, 10 * DAY_MS), async (inTime, late) => {
        now = NOW
        const world = await newWorld(api, now)
        await storeHistory(api.db, world.first, [...daily, ...inTime])
        await foldDays(api.db, now)
        expect(await packedOf(world)).not.toHaveLength(0)
        expect(await answersOf(world)).toEqual(await answersFromHours(world))
        await storeHistory(api.db, world.first, late)
        expect(await answersOf(world)).toEqual(await answersFromHours(world))
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

const onPackedDay = (world: World, table: typeof runHours | typeof endpointHours) =>
  and(eq(table.serviceId, world.first.id), gte(table.hour, PACKED), lt(table.hour, new Date(PACKED.getTime() + DAY_MS)))

async function hoursOf(world: World) {
  return [
    await api.db.select().from(runHours).where(onPackedDay(world, runHours)),
    await api.db.select().from(endpointHours).where(onPackedDay(world, endpointHours)),
  ] as const
}

async function deleteHours(world: World): Promise<void> {
  for (const table of [runHours, endpointHours]) await api.db.delete(table).where(onPackedDay(world, table))
}
