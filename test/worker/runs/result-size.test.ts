import { expect, test } from 'vitest'
import { runScript } from '#server/language/lace/executor.ts'
import { parseScript } from '#server/language/lace/parser.ts'
import type { TransportResponse } from '#server/language/lace/transport.ts'
import { NO_BODIES } from '#server/runs/probes/body-capture.ts'
import { finishRun } from '#server/runs/probes/finish.ts'
import { createRedactor } from '#server/runs/redaction/redact.ts'
import { resultProblem } from '#test/lace/conformance/schemas.ts'

// The largest result of a run: sizes are limited when a call is sent, and again when its result is stored.

/** The size of the result with its steps, which repeat parts of it. */
const RESULT_MAX = 2.5 * 1024 * 1024
const LONG = 'x'.repeat(4_096)
const RUN = { id: 'r', attempt: 1, organizationId: 'o', serviceId: 's', agentId: 'a', agentSlug: 'local' }

function answering(headers: Record<string, string>, body = '{}'): TransportResponse {
  const bytes = Buffer.from(body)
  return {
    status: 200,
    statusText: 'OK',
    headers: { 'content-type': 'application/json', ...headers },
    body: bytes,
    sizeBytes: bytes.length,
    timings: { responseTimeMs: 1, dnsMs: 0, connectMs: 0, tlsMs: 0, ttfbMs: 0, transferMs: 0 },
    dns: { resolvedIps: [], resolvedIp: null },
    tls: null,
    tlsWarning: null,
  }
}

const manyHeaders = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`h${i}`, 'é'.repeat(1_000)]))
const sending = 'get("http://a/$v", { headers: { a: "$v$v$v", b: "$v$v$v", c: "$v$v$v" } }).wait(0)\n'
const stored = Array.from({ length: 200 }, (_, i) => `"$$v${i}": $v, "v${i}": $v`).join()

test.each<[string, string, TransportResponse, string]>([
  ['URLs and headers', sending.repeat(600), answering(manyHeaders), 'too large: the request headers'],
  [
    'the maximum number of calls',
    'get("http://a/").wait(0)\n'.repeat(1_000),
    answering(manyHeaders),
    'too large: the response headers',
  ],
  [
    'assertions',
    `get("http://a/").assert({ check: [${'1, '.repeat(9_000)}] })`,
    answering({}),
    'assertions are omitted',
  ],
  [
    'operands',
    `get("http://a/").assert({ check: [${'this.body eq "$v", '.repeat(2_000)}] })`,
    answering({}, JSON.stringify('y'.repeat(9_000))),
    'assertions are omitted',
  ],
  ['variables', `get("http://a/").store({ ${stored} })`, answering({}), 'was not stored'],
])('a result is bounded, and names what is omitted: %s', async (_, source, response, note) => {
  const { ast, errors } = parseScript(source)
  expect(errors).toEqual([])
  const redactor = await createRedactor(['a-secret'])
  const secrets = { maxLength: redactor.maxSecretLength, maskPrefix: redactor.prefix }
  const probe = await runScript({ ast: ast!, transport: async () => response, variables: { v: LONG }, secrets })
  expect(probe.outcome).toBe('success')
  expect(resultProblem(probe)).toBeNull()
  const { result } = await finishRun(RUN, probe, ast, NO_BODIES, redactor)
  expect(JSON.stringify([result.raw, result.steps]).length).toBeLessThan(RESULT_MAX)
  expect(probe.calls.flatMap(({ warnings }) => warnings).join('\n')).toContain(note)
  expect(probe.calls[0]).toMatchObject({ outcome: 'success', request: { url: expect.stringMatching(/^http/) } })
})

test('a script with too many calls is not executed', async () => {
  const source = 'get("http://a/").wait(0)\n'.repeat(1_001)
  const result = await runScript({ source, transport: async () => answering({}) })
  expect(result).toMatchObject({ outcome: 'failure', calls: [], error: 'the script has more than 1000 calls' })
})
