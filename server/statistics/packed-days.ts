import { type PartName, type PartRow, type Point, type Points, pointsOf } from './points.ts'
import { pushText, pushVarint, VarintReader } from './varints.ts'

// The hours of a day as bytes: a point per hour, of all agents or endpoints together and of each. Percentiles are stored,
// not latencies, because an hour is shown by itself or not at all. A series is a mask of the hours that have a point, and
// the points: counts, and percentiles in hundredths of a millisecond as they are shown.

const HOURS = 24

/**
 * Returns a day of agents or endpoints as `PackedDay` reads it. The buckets of the rows are the hours of the day. `before`
 * has the hours that are packed already: these have no rows.
 */
export async function packDay(rows: readonly PartRow[], before: PackedDay | null = null): Promise<Buffer> {
  const parts = new Map<string, { name: PartName; rows: readonly PartRow[]; series: PackedSeries | null }>()
  for (const { name, series } of before?.parts() ?? []) parts.set(name[0], { name, rows: [], series })
  for (const [key, own] of Map.groupBy(rows, (row) => row.name[0])) {
    const { name } = own[0] as PartRow
    parts.set(key, { name, rows: own, series: parts.get(key)?.series ?? null })
  }
  const packed: Buffer[] = []
  for (const part of parts.values()) {
    const bytes: number[] = []
    pushVarint(bytes, part.name.length)
    for (const text of part.name) pushText(bytes, text)
    packed.push(Buffer.from(bytes), packSeries(await pointsWith(part.rows, part.series)))
  }
  // A single part is all of it.
  const all = parts.size === 1 ? [] : [packSeries(await pointsWith(rows, before?.all ?? null))]
  return Buffer.concat([Buffer.of(all.length), ...all, ...packed])
}

/** Returns the points of rows and of a series, which have no hour in common. */
async function pointsWith(rows: readonly PartRow[], series: PackedSeries | null): Promise<Points> {
  const points = await pointsOf(rows)
  series?.forEach((hour, point) => {
    points[hour] = point
  })
  return points
}

/** Returns the length of a series, and the series. */
function packSeries(points: Points): Buffer {
  const bytes: number[] = []
  let mask = 0
  for (let hour = 0; hour < HOURS; hour++) if (points[hour]) mask |= 1 << hour
  pushVarint(bytes, mask)
  for (let hour = 0; hour < HOURS; hour++) {
    const point = points[hour]
    if (!point) continue
    pushVarint(bytes, point.count)
    pushVarint(bytes, point.failed)
    const [p50, p95, p99] = [point.p50Ms, point.p95Ms, point.p99Ms].map(hundredths) as [number, number, number]
    pushVarint(bytes, point.p50Ms === null ? 0 : p50 + 1)
    if (point.p50Ms === null) continue
    pushVarint(bytes, p95 - p50)
    pushVarint(bytes, p99 - p95)
  }
  const length: number[] = []
  pushVarint(length, bytes.length)
  return Buffer.from([...length, ...bytes])
}

function hundredths(ms: number | null): number {
  return Math.round((ms ?? 0) * 100)
}

export type PackedPart = { name: PartName; series: PackedSeries }

/** Reads a packed day: only what is asked for is unpacked. */
export class PackedDay {
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** All agents or endpoints together. */
  get all(): PackedSeries | null {
    const reader = new VarintReader(this.#bytes, 1)
    if (this.#bytes[0] === 0) {
      if (!reader.hasMore()) return null
      readName(reader)
    }
    return new PackedSeries(reader.readBytes())
  }

  *parts(): Generator<PackedPart> {
    const reader = new VarintReader(this.#bytes, 1)
    if (this.#bytes[0] !== 0) reader.readBytes()
    while (reader.hasMore()) {
      yield { name: readName(reader), series: new PackedSeries(reader.readBytes()) }
    }
  }
}

function readName(reader: VarintReader): PartName {
  return Array.from({ length: reader.readVarint() }, () => reader.readText()) as unknown as PartName
}

/** The points of one agent or endpoint, by hour of the day. */
export class PackedSeries {
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  forEach(visit: (hour: number, point: Point) => void): void {
    const reader = new VarintReader(this.#bytes)
    const mask = reader.readVarint()
    for (let hour = 0; hour < HOURS; hour++) {
      if ((mask & (1 << hour)) === 0) continue
      const count = reader.readVarint()
      const failed = reader.readVarint()
      const first = reader.readVarint()
      if (first === 0) {
        visit(hour, { count, failed, p50Ms: null, p95Ms: null, p99Ms: null })
        continue
      }
      const p50 = first - 1
      const p95 = p50 + reader.readVarint()
      const p99 = p95 + reader.readVarint()
      visit(hour, { count, failed, p50Ms: p50 / 100, p95Ms: p95 / 100, p99Ms: p99 / 100 })
    }
  }
}
