import { describe, expect, test } from 'vitest'
import { alternate, type Measure, percentile } from './alternate.ts'
import { describeFigure, isMet, Report } from './report.ts'

const atOnce = (seconds: number): (() => Promise<Measure>) => {
  return async () => ({ count: 10, seconds, cpuSeconds: seconds / 2 })
}

describe('alternate', () => {
  test('reports the median of ratios with the CPU time of both sides', async () => {
    const report = new Report()
    const sides = { own: atOnce(2), peer: atOnce(1) }
    await alternate(report, { name: 'a', ...sides, by: 'rate', bound: { atLeast: 0.7 }, rounds: 3 })
    expect(report.figures).toEqual([
      {
        name: 'a',
        value: 0.5,
        unit: 'x the rate',
        bound: { atLeast: 0.7 },
        cpuMicros: { own: 100_000, peer: 50_000 },
      },
    ])
    expect(describeFigure(report.figures[0]!)).toContain('NOT MET')
  })

  test('measures both sides in turn, after a round that warms up', async () => {
    const calls: string[] = []
    const side = (name: string) => async () => {
      calls.push(name)
      return { count: 1, seconds: 1, cpuSeconds: 1 }
    }
    await alternate(new Report(), { name: 'a', own: side('own'), peer: side('peer'), by: 'time', rounds: 2 })
    expect(calls).toEqual(['peer', 'own', 'own', 'peer', 'peer', 'own'])
  })
})

describe('figures', () => {
  test('a bound is met at its value', () => {
    const figure = { name: 'a', unit: 'ms' }
    expect(isMet({ ...figure, value: 5, bound: { atMost: 5 } })).toBe(true)
    expect(isMet({ ...figure, value: 5.1, bound: { atMost: 5 } })).toBe(false)
    expect(isMet({ ...figure, value: 4.9, bound: { atLeast: 5 } })).toBe(false)
  })

  test('percentiles take the value at or above their share', () => {
    expect(percentile([3, 1, 2], 50)).toBe(2)
    expect(percentile([1, 2, 3, 4], 99)).toBe(4)
    expect(() => percentile([], 50)).toThrow('nothing was measured')
  })
})
