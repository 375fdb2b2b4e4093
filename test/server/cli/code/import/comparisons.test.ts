import { expect, test } from 'vitest'
import { importTarget, PAGE, type Verdict } from '#test/support/cli/import-target.ts'

// One comparison of Uptime Kuma or Checkly against one response.

const judged = importTarget()

test.each<[query: string, operator: string, value: string, body: string, verdict: Verdict]>([
  ['$.a', '==', '5', '{"a": "5"}', 'pass'],
  ['$.a', '==', '5', '{"a": 5}', 'pass'],
  ['$.a', '==', 'true', '{"a": true}', 'pass'],
  ['$.a', '==', 'null', '{"a": null}', 'fail'],
  ['a.b', '!=', '5', '{"a": {"b": 6}}', 'pass'],
  ['a.b', '!=', '5', '{"a": {"b": "5"}}', 'fail'],
  ['a.b', '!=', '5', '{"a": {}}', 'fail'],
  ['a.b', '!=', '5', '{"a": {"b": [1]}}', 'fail'],
  ['a.b', '!=', '5', PAGE, 'fail'],
  ['a[1].b', '<', '5', '{"a": [0, {"b": 4.5}]}', 'pass'],
  ['a[1].b', '<', '5', '{"a": [{"b": 4}]}', 'fail'],
  ['a', '<=', '5', '{"a": null}', 'fail'],
  ['a', '<', '5', '{"a": "4"}', 'stricter'],
  ['a', 'contains', 'x.y', '{"a": "wx.yz"}', 'pass'],
  ['a', 'contains', 'x.y', '{"a": "wx-yz"}', 'fail'],
  ['a', 'contains', '4', '{"a": 42}', 'stricter'],
  ['$', '==', 'OK', 'OK', 'stricter'],
])('Uptime Kuma: %s %s %s on %s: %s', async (jsonPath, jsonPathOperator, expectedValue, body, verdict) => {
  const monitor = { name: 'a', type: 'json-query', url: 'https://shop.example.com', timeout: 48 }
  const monitorList = [{ ...monitor, jsonPath, jsonPathOperator, expectedValue }]
  const { passes, notes, isActive } = await judged('uptime-kuma', { monitorList }, body)
  expect([passes, isActive]).toEqual([verdict === 'pass', true])
  if (verdict === 'stricter') expect(notes).toHaveLength(1)
})

const JSON_TYPE = 'application/json; charset=utf-8'
test.each<[source: string, property: string, comparison: string, target: string, body: string, verdict: Verdict]>([
  ['JSON_BODY', '$.a', 'EQUALS', '42', '{"a": "42"}', 'pass'],
  ['JSON_BODY', '$.a', 'EQUALS', '42', '{}', 'fail'],
  ['JSON_BODY', '$.[1].a-b', 'EQUALS', 'x', '[{}, {"a-b": "x"}]', 'pass'],
  ['JSON_BODY', '$.a', 'NOT_EQUALS', '5', '{"a": "5"}', 'fail'],
  ['JSON_BODY', '$.a', 'NOT_EQUALS', '5', '{}', 'stricter'],
  ['JSON_BODY', '$.a', 'GREATER_THAN', '5', '{"a": 6}', 'pass'],
  ['JSON_BODY', '$.a', 'GREATER_THAN', '5', '{}', 'fail'],
  ['JSON_BODY', '$.a', 'GREATER_THAN', '5', PAGE, 'fail'],
  ['JSON_BODY', '$.a.length', 'EQUALS', '2', '{"a": [1, 2]}', 'pass'],
  ['JSON_BODY', '$.a.length', 'LESS_THAN', '2', '{}', 'fail'],
  ['JSON_BODY', '$.a', 'IS_NULL', '', '{"a": null}', 'pass'],
  ['JSON_BODY', '$.a', 'NOT_NULL', '', '{"a": null}', 'fail'],
  ['JSON_BODY', '$.a', 'IS_EMPTY', '', '{"a": []}', 'pass'],
  ['JSON_BODY', '$.a', 'NOT_EMPTY', '', '{"a": ""}', 'fail'],
  ['JSON_BODY', '$.a', 'NOT_EMPTY', '', '{}', 'fail'],
  ['JSON_BODY', '$.a', 'CONTAINS', 'b', '{"a": "abc"}', 'pass'],
  ['JSON_BODY', '$.a', 'CONTAINS', 'b', '{"a": ["b"]}', 'pass'],
  ['JSON_BODY', '$.a', 'NOT_CONTAINS', 'b', '{"a": ["abc"]}', 'fail'],
  ['JSON_BODY', '$.a', 'HAS_KEY', 'b-c', '{"a": {"b-c": 0}}', 'pass'],
  ['JSON_BODY', '$.a', 'NOT_HAS_KEY', 'b', '{"a": {"b": 0}}', 'fail'],
  ['JSON_BODY', '$.a', 'HAS_VALUE', '7', '{"a": {"b": 7}}', 'pass'],
  ['JSON_BODY', '$.a', 'NOT_HAS_VALUE', '7', '{"a": [7]}', 'fail'],
  ['TEXT_BODY', '', 'NOT_CONTAINS', '"a": 1', '{"a": 1}', 'fail'],
  ['TEXT_BODY', '', 'EQUALS', 'OK', '"OK"', 'fail'],
  ['TEXT_BODY', '', 'IS_EMPTY', '', '', 'pass'],
  ['TEXT_BODY', '', 'NOT_EMPTY', '', '', 'fail'],
  ['HEADERS', 'Content-Type', 'CONTAINS', 'application/json', '{}', 'pass'],
  ['HEADERS', 'Content-Type', 'CONTAINS', 'utf-8', '{}', 'stricter'],
  ['HEADERS', 'Content-Type', 'EQUALS', 'application/json', '{}', 'fail'],
  ['HEADERS', 'Content-Type', 'EQUALS', JSON_TYPE, '{}', 'pass'],
  ['HEADERS', 'X-Missing', 'NOT_EMPTY', '', '{}', 'fail'],
  ['HEADERS', 'X-Missing', 'NOT_EQUALS', 'a', '{}', 'stricter'],
  ['HEADERS', 'Content-Type', 'NOT_CONTAINS', 'json', '{}', 'fail'],
  ['STATUS_CODE', '', 'NOT_EQUALS', '200', '{}', 'fail'],
  ['RESPONSE_TIME', '', 'LESS_THAN', '20', '{}', 'fail'],
])('Checkly: %s %s %s %s on %s: %s', async (source, property, comparison, target, body, verdict) => {
  const assertions = [{ source, property, comparison, target, regex: '' }]
  const check = { checkType: 'API', name: 'a', request: { url: 'https://shop.example.com', assertions } }
  const right = { headers: { 'content-type': JSON_TYPE }, body }
  const { passes, notes, isActive } = await judged('checkly', [check], right)
  expect([passes, isActive]).toEqual([verdict === 'pass', true])
  if (verdict === 'stricter') expect(notes).toHaveLength(1)
})

test.each([
  ['JSON_BODY', '$..a', 'EQUALS', '1', ''],
  ['JSON_BODY', '$.a[?(@.b)]', 'EQUALS', '1', ''],
  ['JSON_BODY', '$.a', 'EQUALS', '{{NAME}}', ''],
  ['TEXT_BODY', '', 'EQUALS', '1', '(\\d+)'],
  ['HEADERS', 'X-A', 'GREATER_THAN', '1', ''],
])(
  'Checkly: %s %s %s %s %s cannot be kept, and switches the check off',
  async (source, property, comparison, target, regex) => {
    const assertions = [{ source, property, comparison, target, regex }]
    const check = { checkType: 'API', name: 'a', request: { url: 'https://shop.example.com', assertions } }
    const { notes, isActive } = await judged('checkly', [check], '')
    expect(isActive).toBe(false)
    expect(notes.map(({ what }) => what)).toEqual([expect.stringContaining('the assertion'), 'the schedule'])
  },
)
