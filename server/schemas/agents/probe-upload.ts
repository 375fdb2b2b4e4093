import { z } from 'zod'
import { COMPARISONS, EXPECT_SCOPES, METHODS, REDIRECT_MATCHES, TIMEOUT_ACTIONS } from '../../language/lace/ast.ts'
import { MAX_CALLS } from '../../language/lace/request-limits.ts'
import type { ProbeResult } from '../../language/lace/result.ts'
import type { Json } from '../../language/lace/values/json.ts'
import { Instant } from '../conventions.ts'

// The language's result as a remote agent sends it: the same shape as `ProbeResult`, with bounds. Unknown fields are
// dropped. What fields mean together is checked by `server/fronts/agents/results/check-probe.ts`.

/** Longer than any run lasts. */
const DURATION_MAX_MS = 3_600_000
const SIZE_MAX = 2 ** 31

/** Any value. The request's size, depth and number of values are bounded before. */
export const AnyJson = z.custom<Json>((value) => value !== undefined)
const JsonByName = z.record(z.string(), AnyJson)
const Text = z.string()
const Milliseconds = z.int().min(0).max(DURATION_MAX_MS)
const AssertionOutcome = z.enum(['passed', 'failed', 'indeterminate'])
const Options = JsonByName.nullable()

const Assertion = z.discriminatedUnion('method', [
  z.object({
    method: z.enum(['expect', 'check']),
    scope: z.enum(EXPECT_SCOPES),
    op: z.enum(COMPARISONS),
    match: z.enum(REDIRECT_MATCHES).optional(),
    outcome: AssertionOutcome,
    actual: AnyJson,
    expected: AnyJson,
    options: Options,
  }),
  z.object({
    method: z.literal('assert'),
    kind: z.enum(['expect', 'check']),
    index: z.int().min(0).max(100_000),
    outcome: AssertionOutcome,
    expression: Text,
    actualLhs: AnyJson,
    actualRhs: AnyJson,
    options: Options,
  }),
])

const Config = z
  .object({
    timeout: z
      .object({ ms: Milliseconds, action: z.enum(TIMEOUT_ACTIONS), retries: z.int().min(0).max(1_000) })
      .catchall(AnyJson),
    redirects: z.object({ follow: z.boolean(), max: z.int().min(0).max(1_000) }).catchall(AnyJson),
    security: z.object({ rejectInvalidCerts: z.boolean() }).catchall(AnyJson),
    cookieJar: Text.optional(),
    clearCookies: z.array(Text).max(1_000).optional(),
  })
  .catchall(AnyJson)

const Certificate = z.object({
  subject: z.object({ cn: Text.optional() }),
  subjectAltNames: z.array(Text).max(10_000),
  issuer: z.object({ cn: Text.optional() }),
  notBefore: Text,
  notAfter: Text,
})

/** Hosts of a service whose certificates are stored. Further hosts are not. */
export const CERTIFIED_HOSTS_MAX = 50

/** The certificate of a host that a run saw. */
export const HopCertificate = z.object({
  host: z.string().max(300),
  subject: Certificate.shape.subject,
  issuer: Certificate.shape.issuer,
  notBefore: Text,
  notAfter: Text,
})

const Response = z.object({
  status: z.int().min(100).max(999),
  statusText: Text,
  headers: z.record(z.string(), z.union([Text, z.array(Text)])),
  bodyPath: Text.nullable(),
  bodyNotCapturedReason: z.enum(['bodyTooLarge', 'notRequested', 'timeout']).optional(),
  responseTimeMs: Milliseconds,
  dnsMs: Milliseconds,
  connectMs: Milliseconds,
  tlsMs: Milliseconds,
  ttfbMs: Milliseconds,
  transferMs: Milliseconds,
  sizeBytes: z.int().min(0).max(SIZE_MAX),
  dns: z.object({ resolvedIps: z.array(Text).max(1_000), resolvedIp: Text.nullable() }),
  tls: z
    .object({ protocol: Text, cipher: Text, alpn: Text.nullable(), certificate: Certificate.nullable() })
    .nullable(),
})

export const CallUpload = z.object({
  index: z
    .int()
    .min(0)
    .max(MAX_CALLS - 1),
  outcome: z.enum(['success', 'failure', 'timeout', 'skipped']),
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  request: z.object({ url: Text, method: z.enum(METHODS), headers: z.record(z.string(), Text) }).nullable(),
  response: Response.nullable(),
  redirects: z.array(Text).max(100),
  assertions: z.array(Assertion).max(10_000),
  config: z.union([Config, z.strictObject({})]),
  warnings: z.array(Text).max(1_000),
  error: Text.nullable(),
})

const Warning = z.object({
  code: Text,
  callIndex: z.int().nullable(),
  chainMethod: z.enum(['expect', 'check', 'assert', 'store', 'wait']).optional(),
  detail: Text,
})

export type CallUpload = z.output<typeof CallUpload>

const Calls = z.array(CallUpload).max(MAX_CALLS)

export const ProbeUpload = z.object({
  outcome: z.enum(['success', 'failure', 'timeout']),
  startedAt: Instant,
  endedAt: Instant,
  elapsedMs: Milliseconds,
  runVars: JsonByName,
  calls: Calls,
  actions: z.object({ variables: JsonByName.optional() }),
  validationWarnings: z.array(Warning).max(10_000).optional(),
  error: Text.optional(),
}) satisfies z.ZodType<ProbeResult>

/** The same with calls that are not checked yet. */
export const ProbeFrame = ProbeUpload.extend({ calls: z.array(z.unknown()).max(MAX_CALLS) })
