import fc from 'fast-check'
import type { StoredStep } from '#db/schema/results.ts'
import { COMPARISONS, EXPECT_SCOPES } from '#server/language/lace/ast.ts'
import { failedAssertionsOf } from '#server/results/results/failure.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import type { FinishedRun, RunAttempt } from '#server/runs/record/finished-run.ts'

// Results as a hostile target, script or agent could make them: each field has its type, and nothing else is certain.

const NAMES = ['toString', 'valueOf', 'toJSON', '__proto__', 'constructor', 'hasOwnProperty', 'length', 'then', 'x-a']
const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: 'grapheme', maxLength: 6 }))
/** The check of responses drops `__proto__` from a record, so no header has this name. */
const headerName = name.filter((one) => one !== '__proto__')

const text = fc.oneof(
  { weight: 300, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 100, arbitrary: fc.constantFrom('', '\u202e', '\u001b[2J', '\n\r', 'schema($x)', '"', '\\u0000', '{"a":') },
  { weight: 10, arbitrary: fc.constantFrom('e'.repeat(3_000), '😀'.repeat(600), '\u0001'.repeat(300)) },
  { weight: 1, arbitrary: fc.constantFrom('\ud800', 'a\udfff', 'a\0b') },
)

/** A value as `JSON.parse` makes it: `__proto__` is an ordinary name. */
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(text, fc.double(), fc.maxSafeInteger(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 4 })
      .map((entries) =>
        JSON.parse(`{${entries.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`)}}`),
      ),
  ),
}))

/** A value in this many arrays or objects: more than a stack holds, in the largest case. */
const deep = fc.tuple(fc.constantFrom(60, 500, 999, 20_000), fc.boolean(), value).map(([levels, isArray, inner]) => {
  let outer: unknown = inner
  for (let level = 0; level < levels; level++) outer = isArray ? [outer] : { toString: outer }
  return outer
})

const operand = fc.oneof({ weight: 100, arbitrary: value }, { weight: 1, arbitrary: deep })

const assertion = fc.oneof(
  fc.record({
    method: fc.constantFrom('expect', 'check'),
    scope: fc.constantFrom(...EXPECT_SCOPES),
    op: fc.constantFrom(...COMPARISONS),
    outcome: fc.constantFrom('failed', 'failed', 'passed', 'indeterminate'),
    actual: operand,
    expected: operand,
    options: fc.constant(null),
  }),
  fc.record({
    method: fc.constant('assert'),
    kind: fc.constantFrom('expect', 'check'),
    index: fc.nat(5),
    outcome: fc.constantFrom('failed', 'passed'),
    expression: text,
    actualLhs: operand,
    actualRhs: operand,
    options: fc.constant(null),
  }),
)

/** The database refuses a few of the values: fractions, and numbers above its integers. */
const ms = fc.oneof(
  { weight: 900, arbitrary: fc.nat(60_000) },
  { weight: 1, arbitrary: fc.constantFrom(0.5, 2 ** 31, -(2 ** 40)) },
)
const duration = fc.oneof(
  { weight: 60, arbitrary: fc.nat(60_000) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Infinity, -1, 1.5, 2 ** 31, 1e300) },
)

const step = fc
  .record({
    requestUrl: fc.option(text),
    template: text,
    statusCode: fc.option(fc.integer({ min: 100, max: 999 })),
    responseTimeMs: fc.option(ms),
    responseSizeBytes: fc.option(fc.nat()),
    outcome: fc.constantFrom('success', 'failure', 'timeout', 'skipped'),
    error: fc.option(text),
    timeoutPhase: fc.constantFrom(null, 'dns', 'tls'),
    excerpt: fc.option(text),
    assertionResults: fc.array(assertion, { maxLength: 4 }),
    headers: fc.dictionary(headerName, fc.oneof(text, fc.array(text, { maxLength: 3 })), { maxKeys: 3 }),
  })
  .map((given): Omit<StoredStep, 'id' | 'stepNum'> => {
    const phases = { dnsMs: 1, connectMs: 1, tlsMs: 1, ttfbMs: 1, transferMs: 1 }
    return {
      method: 'GET',
      ...phases,
      body: null,
      bodyNotStoredReason: 'no_body',
      ...(given as typeof given & object),
    } as never
  })

const date = fc.oneof(
  { weight: 40, arbitrary: fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }) },
  { weight: 1, arbitrary: fc.date() },
)

const certificate = fc.record({
  host: fc.oneof(fc.constantFrom('a.example', 'b.example'), text),
  notBefore: date,
  notAfter: date,
  subject: fc.option(text),
  issuer: fc.option(text),
})

const hostile = fc.record({
  status: fc.constantFrom('success', 'success', 'failure', 'failure', 'timeout'),
  runDurationMs: duration,
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  error: fc.option(text, { freq: 6 }),
  runVars: fc.dictionary(name, operand, { maxKeys: 3 }),
  certificates: fc.array(certificate, { maxLength: 2 }),
  writeBacks: fc.array(fc.record({ key: name, value: text, callIndex: fc.constant(0) }), { maxLength: 1 }),
})

/** Returns hostile results, the same for the same seed. Their runs are `attemptOf(i)`. */
export function hostileRuns(count: number, seed: number, attemptOf: (i: number) => RunAttempt): FinishedRun[] {
  const start = Date.now()
  return fc.sample(hostile, { numRuns: count, seed }).map((given, i) => {
    const startedAt = new Date(start + i)
    const steps = given.steps.map((one, at) => ({ ...one, id: createIdAt(startedAt), stepNum: at + 1 }))
    const failed = failedAssertionsOf(steps)
    const calls = steps.map(() => ({ warnings: [] as string[] }))
    const status = given.status as FinishedRun['result']['status']
    return {
      ...attemptOf(i),
      result: {
        id: createIdAt(startedAt),
        startedAt,
        status,
        runDurationMs: given.runDurationMs,
        totalResponseMs: 20,
        callCount: steps.length,
        failedCalls: 0,
        raw: { outcome: status, calls, runVars: given.runVars, ...(given.error !== null && { error: given.error }) },
        steps,
        scriptVersion: 2,
      },
      isTimed: true,
      assertions: [],
      failedAssertions: failed.slice(0, 20),
      failedAssertionCount: failed.length,
      writeBacks: given.writeBacks,
      certificates: given.certificates,
    }
  })
}
