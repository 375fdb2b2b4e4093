import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeSketches, type Sketch } from '#server/statistics/sketch.ts'
import { testDatabase } from '../../support/database.ts'

const database = testDatabase()

const latencies = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 600_000 })), {
  maxLength: 300,
})

function array(values: readonly number[] | null) {
  return values === null ? sql`null::integer[]` : sql`${`{${values.join(',')}}`}::integer[]`
}

async function mergeInDatabase(a: Sketch, b: Sketch): Promise<Sketch> {
  const [row] = await database.db.execute<Sketch & Record<string, unknown>>(
    sql`select * from sketch_merge(${array(a.ms)}, ${array(a.bins)}, ${array(a.counts)}, ${array(b.ms)}, ${array(b.bins)}, ${array(b.counts)})`,
  )
  return row as Sketch
}

test('the database and the program merge sketches to the same result', async () => {
  await fc.assert(
    fc.asyncProperty(latencies, latencies, latencies, async (first, second, third) => {
      const one = (ms: number[]): Sketch => mergeSketches([{ ms, bins: null, counts: null }])
      const expected = mergeSketches([mergeSketches([one(first), one(second)]), one(third)])
      const stored = await mergeInDatabase(await mergeInDatabase(one(first), one(second)), one(third))
      const sorted = (sketch: Sketch) => ({ ...sketch, ms: sketch.ms && [...sketch.ms].sort((a, b) => a - b) })
      expect(sorted(stored)).toEqual(sorted(expected))
    }),
    { numRuns: 150 },
  )
})

test('the database and the program put every latency into the same bin', async () => {
  const all = Array.from({ length: 20_000 }, (_, i) => i)
  const stored = await mergeInDatabase({ ms: all, bins: null, counts: null }, { ms: null, bins: null, counts: null })
  expect(stored).toEqual(mergeSketches([{ ms: all, bins: null, counts: null }]))
})

test('the SQL functions add counts and hours', async () => {
  const [row] = await database.db.execute(sql`select
    sum_counts('{"200": 3, "none": 1}', '{"200": 2, "404": 5}') as counts,
    sum_counts('{}', '{}') as nothing,
    sum_each('{1,2,3}', '{10,0,5}') as hours`)
  expect(row).toEqual({ counts: { '200': 5, '404': 5, none: 1 }, nothing: {}, hours: [11, 2, 8] })
})
