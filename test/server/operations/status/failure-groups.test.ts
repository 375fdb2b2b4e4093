import { describe, expect, test } from 'vitest'
import { parseSummary, summaryOf } from '#server/results/results/failure-summary.ts'
import { groupFailures } from '#server/status/failure-groups.ts'
import { targetOf } from '#server/status/targets.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 12, minutes)).toISOString()
const REFUSED = 'GET https://shop.example/cart: connection refused'

describe('failures of one cause', () => {
  test('are those with the same host and reason within five minutes of the first', () => {
    const groups = groupFailures([
      { id: 'b', cause: 'POST https://shop.example/pay?x=1: connection refused', since: at(4) },
      { id: 'a', cause: REFUSED, since: at(0) },
      { id: 'later', cause: REFUSED, since: at(6) },
      { id: 'host', cause: 'GET https://api.example/: connection refused', since: at(1) },
      { id: 'reason', cause: 'GET https://shop.example/: status 500, expected 200', since: at(1) },
      { id: 'unclear', cause: 'the run failed', since: at(1) },
      { id: 'none', cause: null, since: null },
    ])
    const host = 'shop.example'
    const group = { key: expect.any(String), host, reason: 'connection refused', since: at(0), count: 2 }
    expect([...groups.keys()].sort()).toEqual(['a', 'b'])
    expect(groups.get('a')).toEqual(group)
    expect(groups.get('b')).toBe(groups.get('a'))
  })

  test('that come later are a group of their own', () => {
    const groups = groupFailures(
      [0, 5, 6, 11].map((minute) => ({ id: `${minute}`, cause: REFUSED, since: at(minute) })),
    )
    const [first, second] = [groups.get('0'), groups.get('6')]
    expect([first?.count, second?.count]).toEqual([2, 2])
    expect(first?.key).not.toBe(second?.key)
    expect([groups.get('5'), groups.get('11')]).toEqual([first, second])
  })
})

test('a summary gives its host and reason, however many assertions failed and on which agent', () => {
  const request = { method: 'GET', url: 'http://shop.example:8080/cart' }
  const parsed = { host: 'shop.example:8080', reason: 'status 500, expected 200' }
  expect(parseSummary(summaryOf(request, 'status 500, expected 200', 0))).toEqual(parsed)
  expect(parseSummary(summaryOf(request, 'status 500, expected 200', 2))).toEqual(parsed)
  expect(parseSummary(`${summaryOf(request, 'status 500, expected 200', 2)} (on eu-1)`)).toEqual(parsed)
  expect(parseSummary(summaryOf(null, 'the run exceeded its time limit', 0))).toBeNull()
  expect(parseSummary('GET $o.base/cart: no such variable')).toBeNull()
})

describe('the target of a service', () => {
  const target = (call: string | null, targetHosts: string[] = []) => targetOf({ call, steps: 2, targetHosts })

  test('is the first call, with the URL as written', () => {
    const url = 'https://shop.example:8443/cart/$id?key=1'
    expect(target(`POST ${url}`)).toEqual({ method: 'POST', url, host: 'shop.example', path: '/cart/$id', steps: 2 })
    expect(target('GET https://shop.example?x=1')).toMatchObject({ host: 'shop.example', path: '/' })
    expect(target(null)).toBeNull()
  })

  test.each(['$o.base', '$base_url', `\${$s.base}`])('has the host of its calls where it is %s', (variable) => {
    const url = `${variable}/cart#top`
    expect(target(`GET ${url}`, ['shop.example'])).toMatchObject({ url, host: 'shop.example', path: '/cart' })
    expect(target(`GET ${url}`, ['shop.example', 'api.example'])).toMatchObject({ host: null, path: '/cart' })
  })
})
