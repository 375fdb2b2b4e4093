import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { differences } from './conformance/diff.ts'
import { runVectors } from './conformance.ts'

test('all vectors of the core pass', async () => {
  const lines: string[] = []
  const report = await runVectors(new URL('vectors', import.meta.url).pathname, (line) => lines.push(line))
  expect(lines).toEqual([])
  expect(report).toEqual({ passed: 154, failed: 0, skipped: 0 })
})

test('a vector can set config and environment', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'lace-vectors-'))
  const vector = (id: string, input: object, expected: object) => {
    const source = 'get("http://127.0.0.1:{port}/").expect(status: 200)'
    const http_mock = [{ callIndex: 0, outcome: 'response', status: 200, headers: {}, body: '' }]
    const result = { startedAt: 'IGNORED', endedAt: 'IGNORED', runVars: {}, actions: {}, ...expected }
    const content = { id, description: id, spec_refs: ['11'], type: 'execute' }
    return writeFile(
      join(directory, `${id}.json`),
      JSON.stringify({ ...content, input: { source, http_mock, ...input }, expected: { result } }),
    )
  }
  const agent = (name: string) => ({
    outcome: 'success',
    calls: [
      {
        ...{ index: 0, outcome: 'success', startedAt: 'IGNORED', endedAt: 'IGNORED', response: 'IGNORED' },
        ...{ redirects: [], assertions: 'IGNORED', config: 'IGNORED', warnings: [], error: null },
        request: { url: 'http://127.0.0.1:{port}/', method: 'get', headers: { 'user-agent': name } },
      },
    ],
  })
  const lace_config = '[executor]\nuser_agent = "env:FLEET"\n[lace.config.staging]\nexecutor.user_agent = "staging/1"'
  await vector('from_environment', { lace_config, env: { FLEET: 'fleet/2' } }, agent('fleet/2'))
  await vector('by_section', { lace_config, cli_args: ['--env', 'staging'] }, agent('staging/1'))
  await vector('by_variable', { lace_config, env: { LACE_ENV: 'staging' } }, agent('staging/1'))
  await vector('unset', { lace_config }, { outcome: 'failure', calls: [], error: 'MATCH:/FLEET/' })
  await vector('another', { lace_config, env: { FLEET: 'fleet/2' } }, agent('fleet/3'))
  const said: string[] = []
  const report = await runVectors(directory, (line) => said.push(line))
  await rm(directory, { recursive: true })
  expect(said).toEqual([expect.stringContaining('failed another.json')])
  expect(report).toEqual({ passed: 4, failed: 1, skipped: 0 })
})

const none = { ignore: [], ignoreByDefault: [], optionalHeaders: [] }

test('the comparison finds different, missing and unexpected values', () => {
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
