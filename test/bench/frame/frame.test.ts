import { describe, expect, test } from 'vitest'
import { alternate, type Measure, percentile } from './alternate.ts'
import { findWorse } from './recorded.ts'
import { describeFigure, isMet, Report } from './report.ts'

const atOnce = (seconds: number): (() => Promise<Measure>) => {
  return async () => ({ count: 10, seconds, cpuSeconds: seconds / 2 })
}

describe('alternate', () => {
  test('reports the median of ratios with the CPU time of both sides', async () => {
    const report = new Report()
    await alternate(report, {
      name: 'a',
      own: atOnce(2),
      peer: atOnce(1),
      by: 'rate',
      goal: { atLeast: 0.7 },
      rounds: 3,
    })
    expect(report.figures).toEqual([
      {
        name: 'a',
        value: 0.5,
        unit: 'x the rate',
        goal: { atLeast: 0.7 },
        better: 'higher',
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
  const figure = { unit: 'ms', goal: null, better: 'lower' as const }

  test('a value that is worse by more than a fifth is named, by its direction', () => {
    const before = [
      { ...figure, name: 'slower', value: 10 },
      { ...figure, name: 'same', value: 10 },
      { ...figure, name: 'less', value: 10, better: 'higher' as const },
    ]
    const now = [
      { ...figure, name: 'slower', value: 12.1 },
      { ...figure, name: 'same', value: 11.9 },
      { ...figure, name: 'less', value: 7.9, better: 'higher' as const },
      { ...figure, name: 'new', value: 99 },
    ]
    expect(findWorse(before, now)).toEqual(['slower: 12.1 ms, was 10', 'less: 7.9 ms, was 10'])
  })

  test('a goal is met at its bound', () => {
    expect(isMet({ ...figure, name: 'a', value: 5, goal: { atMost: 5 } })).toBe(true)
    expect(isMet({ ...figure, name: 'a', value: 5.1, goal: { atMost: 5 } })).toBe(false)
    expect(isMet({ ...figure, name: 'a', value: 4.9, goal: { atLeast: 5 } })).toBe(false)
  })

  test('a name stands once', () => {
    const report = new Report()
    report.add({ name: 'a', value: 1, unit: 'ms', better: 'lower' })
    expect(() => report.add({ name: 'a', value: 1, unit: 'ms', better: 'lower' })).toThrow('twice')
  })

  test('percentiles take the value at or above their share', () => {
    expect(percentile([3, 1, 2], 50)).toBe(2)
    expect(percentile([1, 2, 3, 4], 99)).toBe(4)
    expect(() => percentile([], 50)).toThrow('nothing')
  })
})
