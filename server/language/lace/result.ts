import type { ChainMethod, Comparison, ExpectScope, Method, RedirectMatch, TimeoutAction } from './ast.ts'
import type { DnsMeta, Timings, TlsMeta } from './transport.ts'
import type { Json } from './values/json.ts'

/** The result of a run, in the wire shape of the language's published result schema. Times are ISO 8601 in UTC. */
export type ProbeResult = {
  outcome: 'success' | 'failure' | 'timeout'
  startedAt: string
  endedAt: string
  elapsedMs: number
  /** Final values of the `$$` variables that were assigned. */
  runVars: Record<string, Json>
  calls: CallRecord[]
  /** `variables` holds what `.store()` writes back; absent when nothing is. */
  actions: { variables?: Record<string, Json> }
  /** Present when the validator reported warnings. */
  validationWarnings?: ValidationWarning[]
  /** Present when the script did not validate, and nothing was run. */
  error?: string
}

export type ValidationWarning = { code: string; callIndex: number | null; chainMethod?: ChainMethod; detail: string }

export type CallOutcome = 'success' | 'failure' | 'timeout' | 'skipped'

export type CallRecord = {
  index: number
  outcome: CallOutcome
  startedAt: string | null
  endedAt: string | null
  request: RequestRecord | null
  response: ResponseRecord | null
  /** URLs that redirects led to, in order. */
  redirects: string[]
  assertions: AssertionRecord[]
  config: CallConfigRecord | Record<string, never>
  warnings: string[]
  error: string | null
}

export type RequestRecord = { url: string; method: Method; headers: Record<string, string> }

/** With redirects, the timings are sums over all hops. */
export type ResponseRecord = Timings & {
  status: number
  statusText: string
  headers: Record<string, string | string[]>
  bodyPath: string | null
  /** Present when `bodyPath` is null. */
  bodyNotCapturedReason?: 'bodyTooLarge' | 'notRequested' | 'timeout'
  sizeBytes: number
  dns: DnsMeta
  tls: TlsMeta | null
}

export type AssertionOutcome = 'passed' | 'failed' | 'indeterminate'

export type AssertionRecord = ExpectScopeAssertion | ConditionAssertion

export type ExpectScopeAssertion = {
  method: 'expect' | 'check'
  scope: ExpectScope
  op: Comparison
  match?: RedirectMatch
  outcome: AssertionOutcome
  actual: Json
  expected: Json
  options: Record<string, Json> | null
}

export type ConditionAssertion = {
  method: 'assert'
  kind: 'expect' | 'check'
  index: number
  outcome: AssertionOutcome
  expression: string
  actualLhs: Json
  actualRhs: Json
  options: Record<string, Json> | null
}

/** The config of a call with defaults filled in. Fields of extensions are kept. */
export type CallConfigRecord = {
  timeout: { ms: number; action: TimeoutAction; retries: number; [extension: string]: Json }
  redirects: { follow: boolean; max: number; [extension: string]: Json }
  security: { rejectInvalidCerts: boolean; [extension: string]: Json }
  cookieJar?: string
  clearCookies?: string[]
  [extension: string]: Json | undefined
}

/** The start of the warnings that name a part of a call's record that did not fit. */
export const OMITTED = 'omitted because the result would be too large'
export const REDIRECTS_OMITTED = `${OMITTED}: the URLs of redirects`
