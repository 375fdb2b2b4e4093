import { shouldYield, yieldToEventLoop } from '../lace/event-loop.ts'
import type { StoredRows } from './hourly-rows.ts'
import { PackedDay, type PackedSeries } from './packed-days.ts'
import { type PartName, type PartRow, type Points, pointsOf } from './points.ts'
import type { Buckets } from './windows.ts'

/** The agents or endpoints of a window, and their points together. */
export type Parts = { list: Part[]; points: () => Promise<Points> }

/** An agent or an endpoint. Its points are computed when they are asked for, because few of many endpoints are shown. */
export type Part = { name: PartName; count: number; points: () => Promise<Points> }

type Stored = { name: PartName; count: number; rows: PartRow[]; days: { firstBucket: number; series: PackedSeries }[] }

/** Returns the agents or endpoints that have a bucket in the window. */
export async function collectParts({ starts }: Buckets, { rows, days }: StoredRows): Promise<Parts> {
  const isWithin = (bucket: number) => bucket >= 0 && bucket < starts.length
  const parts = new Map<string, Stored>()
  const partOf = (name: PartName) => {
    const part = parts.get(name[0]) ?? { name, count: 0, rows: [], days: [] }
    parts.set(name[0], part)
    return part
  }
  for (const { firstBucket, packed } of days) {
    for (const { name, series } of new PackedDay(packed).parts()) {
      let count: number | null = null
      series.forEach((hour, point) => {
        if (isWithin(firstBucket + hour)) count = (count ?? 0) + point.count
      })
      if (shouldYield()) await yieldToEventLoop()
      if (count === null) continue
      const part = partOf(name)
      part.count += count
      part.days.push({ firstBucket, series })
    }
  }
  const within: PartRow[] = []
  for (const row of rows) {
    if (!isWithin(row.bucket)) continue
    within.push(row)
    const part = partOf(row.name)
    part.count += row.count
    part.rows.push(row)
    if (shouldYield()) await yieldToEventLoop()
  }
  const merge = async (own: PartRow[], all: { firstBucket: number; series: PackedSeries }[]) => {
    const points = await pointsOf(own)
    for (const { firstBucket, series } of all) {
      series.forEach((hour, point) => {
        if (isWithin(firstBucket + hour)) points[firstBucket + hour] = point
      })
    }
    return points
  }
  const list = [...parts.values()].map((part) => ({ ...part, points: () => merge(part.rows, part.days) }))
  const together = days.flatMap(({ firstBucket, packed }) => {
    const series = new PackedDay(packed).all
    return series ? { firstBucket, series } : []
  })
  return { list, points: () => merge(within, together) }
}
