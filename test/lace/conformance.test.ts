import { expect, test } from 'vitest'
import { differences } from './conformance/diff.ts'
import { runVectors } from './conformance.ts'

test('every vector of the core passes', async () => {
  const said: string[] = []
  const report = await runVectors(new URL('vectors', import.meta.url).pathname, (line) => said.push(line))
  expect(said).toEqual([])
  expect(report).toEqual({ passed: 114, failed: 0, skipped: 0 })
})

const none = { ignore: [], ignoreByDefault: [], optionalHeaders: [] }

test('the comparison finds what differs, lacks or is too much', () => {
  expect(differences({ a: 1 }, { a: 1 }, none)).toEqual([])
  expect(differences({ a: 1 }, { a: 2 }, none)).toEqual(['a: expected 1, got 2'])
  expect(differences({ a: 1 }, {}, none)).toEqual(['a: expected 1, got nothing'])
  expect(differences({}, { a: 1 }, none)).toEqual(['a: not expected, got 1'])
  expect(differences([1, 2], [1], none)).toHaveLength(2)
  expect(differences({ a: [] }, { a: {} }, none)).toHaveLength(1)
})

test('sentinels and ignored paths', () => {
  expect(differences({ a: 'IGNORED' }, {}, none)).toEqual([])
  expect(differences({ a: 'NON_NULL' }, { a: null }, none)).toHaveLength(1)
  expect(differences({ a: 'MATCH:/^x+$/' }, { a: 'xx' }, none)).toEqual([])
  expect(differences({ a: 'MATCH:/^x+$/' }, { a: 'xy' }, none)).toHaveLength(1)
  const calls = { ignore: ['calls[*].a'], ignoreByDefault: ['b'], optionalHeaders: ['host'] }
  expect(differences({ calls: [{ a: 1 }], b: 1 }, { calls: [{ a: 2 }], b: 2 }, calls)).toEqual([])
  expect(differences({ b: 'NON_NULL' }, { b: null }, calls)).toHaveLength(1)
  expect(differences({ a: 'MATCH:/^X$/i' }, { a: 'x' }, none)).toEqual([])
  expect(differences({ r: { headers: {} } }, { r: { headers: { Host: 'a', X: 'b' } } }, calls)).toEqual([
    'r.headers.x: not expected, got "b"',
  ])
  expect(differences({ r: { headers: { host: 'b' } } }, { r: { headers: { Host: 'a' } } }, calls)).toHaveLength(1)
  expect(differences({ r: { headers: { Cookie: 'a' } } }, { r: { headers: { cookie: 'a' } } }, none)).toEqual([])
})
