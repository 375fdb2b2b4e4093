import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  binOf,
  binValue,
  EXACT_MAX,
  mergeSketches,
  percentilesOf,
  type Sketch,
} from '#server/results/statistics/sketch.ts'
import { SEED } from '#test/support/seed.ts'

const latency = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 120_000 }))
/** Every latency up to two minutes. They are checked in one `expect`, because one for each would take seconds. */
const LATENCIES = Array.from({ length: 120_000 }, (_, i) => i + 1)
const QUANTILES = [0.5, 0.95, 0.99] as const

/** Returns the nearest-rank percentile of the values. */
function oracle(values: number[], quantile: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(1, Math.ceil(quantile * sorted.length)) - 1] as number
}

function sketchOf(values: number[]): Sketch {
  return mergeSketches([{ ms: values, bins: null }])
}

function countOf({ ms, bins }: Sketch): number {
  return (ms?.length ?? 0) + (bins ?? []).reduce((sum, count, i) => sum + (i % 2 === 1 ? count : 0), 0)
}

describe('latency sketches', () => {
  test('the value of a bin is within 1 % of every value in it', () => {
    const isNear = (ms: number) => Math.abs(binValue(binOf(ms)) - ms) <= ms * 0.01 + 1e-9
    expect(LATENCIES.filter((ms) => !isNear(ms))).toEqual([])
    expect(binValue(binOf(0))).toBe(0)
  })

  test('bins rise with the latency', () => {
    expect(LATENCIES.filter((ms) => binOf(ms) < binOf(ms - 1))).toEqual([])
  })

  test('percentiles of up to 128 values are exact, also after merging', () => {
    fc.assert(
      fc.property(fc.array(fc.array(latency, { maxLength: 40 }), { maxLength: 10 }), (parts) => {
        const values = parts.flat().slice(0, EXACT_MAX)
        const merged = mergeSketches([sketchOf(values.slice(0, 7)), sketchOf(values.slice(7))])
        const expected = values.length === 0 ? null : QUANTILES.map((quantile) => oracle(values, quantile))
        expect(percentilesOf([merged], QUANTILES)).toEqual(expected)
        expect(countOf(merged)).toBe(values.length)
      }),
      { seed: SEED },
    )
  })

  test('percentiles of more values are within 1 %, merged or not, in any order', () => {
    const parts = fc.array(fc.array(latency, { minLength: 1, maxLength: 400 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(parts, (lists) => {
        const values = lists.flat()
        const sketches = lists.map(sketchOf)
        const merged = mergeSketches(sketches)
        expect(countOf(merged)).toBe(values.length)
        expect(percentilesOf([mergeSketches(sketches.toReversed())], QUANTILES)).toEqual(
          percentilesOf([merged], QUANTILES),
        )
        for (const found of [percentilesOf([merged], QUANTILES), percentilesOf(sketches, QUANTILES)]) {
          QUANTILES.forEach((quantile, i) => {
            const exact = oracle(values, quantile)
            expect(Math.abs((found?.[i] ?? Number.NaN) - exact)).toBeLessThanOrEqual(exact * 0.01 + 0.005)
          })
        }
      }),
      { seed: SEED },
    )
  })

  test('percentiles without latencies are null', () => {
    expect(percentilesOf([], QUANTILES)).toBeNull()
    expect(percentilesOf([sketchOf([]), mergeSketches([])], QUANTILES)).toBeNull()
  })
})
