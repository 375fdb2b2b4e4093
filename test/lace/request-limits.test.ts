import { describe, expect, test } from 'vitest'
import { parseScript } from '#server/language/lace/parser.ts'
import { findLimitViolation } from '#server/language/lace/request-limits.ts'

const SCOPES = ['s']
/** The maximum length of a stored variable. */
const LONG = 'v'.repeat(4_096)

function tooLong(source: string, values: Record<string, string> = { long: LONG }) {
  const { ast, errors } = parseScript(source, { scopes: SCOPES })
  expect(errors).toEqual([])
  let lookups = 0
  const lookup = ({ path: [key] }: { path: { name?: string }[] }) => {
    lookups++
    return values[key?.name ?? '']
  }
  const violation = findLimitViolation(ast!, lookup as never, SCOPES)
  return {
    ...(violation && { callIndex: violation.callIndex, field: violation.field, detail: violation.detail }),
    lookups,
  }
}

describe('a request', () => {
  const many = (text: string, count: number) => text.repeat(count)

  test.each([
    ['a URL', `get("http://a.example/${many('$s.long/', 2)}").wait(0)`, 'url', '8192 characters'],
    [
      'a header',
      `get("http://a/", { headers: { A: "${many('$s.long ', 4)}" } }).wait(0)`,
      'headers.A',
      '16384 characters',
    ],
    [
      'a sum',
      'get("http://a/", { headers: { A: $s.long + "$s.long$s.long" + $s.long + "x" } }).wait(0)',
      'headers.A',
      '16384',
    ],
    ['a cookie', `get("http://a/", { cookies: { c: "${many('$s.long ', 4)}" } }).wait(0)`, 'cookies.c', '16384'],
    ['a raw body', `post("http://a/", { body: "${many('$s.long', 2_561)}" }).wait(0)`, 'body', '10485760 bytes'],
    [
      'JSON',
      `post("http://a/", { body: json({ a: ["${many('$s.long', 2_561)}"] }) }).wait(0)`,
      'body',
      '10485760 bytes',
    ],
  ])('%s is too long with the values of its variables', (_, source, field, limit) => {
    const { lookups, ...violation } = tooLong(`get("http://a/").wait(0)\n${source}`)
    expect(violation).toMatchObject({ callIndex: 1, field, detail: expect.stringContaining(limit) })
    expect(lookups).toBeLessThan(3_000)
  })

  test('is measured no further than its limit', () => {
    const { lookups, ...violation } = tooLong(`get("http://a/${many('$s.long', 6_000)}").wait(0)`)
    expect(violation).toMatchObject({ field: 'url' })
    expect(lookups).toBe(2)
  })

  test.each([
    `get("http://a/$s.long").wait(0)`,
    `get("http://a/${many('$s.long', 1)}$$run$$run", { headers: { A: "${many('$s.long', 4)}", B: this.body } }).wait(0)`,
    `get("http://a/${many('$s.nothing', 100)}").wait(0)`,
    `post("http://a/", { body: form({ a: "${many('$s.long', 100)}", n: 1 + 2 }) }).wait(0)`,
  ])('is within its limits', (source) => {
    const { lookups, ...violation } = tooLong(source)
    expect(violation).toEqual({})
    expect(lookups).toBeGreaterThan(0)
  })

  test('has at most a hundred headers, and a script at most a thousand calls', () => {
    const headers = Array.from({ length: 101 }, (_, i) => `h${i}: 1`).join()
    expect(tooLong(`get("http://a/", { headers: { ${headers} } }).wait(0)`)).toMatchObject({ field: 'headers' })
    expect(tooLong(many('get("http://a/").wait(0)\n', 1_001))).toMatchObject({ callIndex: 1_000, field: 'calls' })
    expect(tooLong(many('get("http://a/").wait(0)\n', 1_000))).toEqual({ lookups: 0 })
  })
})
