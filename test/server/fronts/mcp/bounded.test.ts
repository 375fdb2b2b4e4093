import { describe, expect, test } from 'vitest'
import { bounded } from '#server/fronts/mcp/bounded.ts'

const OUTPUT_MAX = 40_000

describe('the output of a tool', () => {
  test('is unchanged when it is small', () => {
    const data = { total: 1, items: [{ id: 'a', note: null, isActive: true, ms: 12.5 }] }
    expect(bounded(data)).toEqual({ data, json: JSON.stringify(data) })
  })

  test('has long texts and lists cut, with how much is missing', () => {
    const { data } = bounded({ script: 'x'.repeat(5_000), items: Array.from({ length: 60 }, (_, index) => index) })
    expect(data.script).toBe(`${'x'.repeat(4_000)}… (1000 more characters)`)
    expect(data.items).toHaveLength(51)
    expect((data.items as unknown[]).at(-1)).toBe('… 10 more')
  })

  test.each([
    ['many long texts', { steps: Array.from({ length: 40 }, () => ({ body: 'x'.repeat(4_000) })) }],
    ['wide and deep lists', { a: nested(4) }],
    ['many fields', Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, 'x'.repeat(900)]))],
  ])('has at most 40,000 characters: %s', (_what, data) => {
    const { data: cut, json } = bounded(data)
    expect(json.length).toBeLessThanOrEqual(OUTPUT_MAX)
    expect(JSON.parse(json)).toEqual(cut)
  })
})

function nested(depth: number): unknown {
  return Array.from({ length: 8 }, () => (depth === 0 ? 'x'.repeat(50) : nested(depth - 1)))
}
