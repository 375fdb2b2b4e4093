import type { Script } from './ast.ts'
import type { LaceError } from './errors.ts'
import { emptyCallRecord, runCall } from './executor/call.ts'
import { type Clock, isoTime, systemClock } from './executor/clock.ts'
import { truncateVariables } from './executor/result-size.ts'
import {
  type AddedHeaders,
  type CertificateListener,
  NO_MASK,
  type RequestCheck,
  Run,
  type SecretMasking,
  type TimeoutListener,
} from './executor/run.ts'
import { MAX_CALLS } from './request-limits.ts'
import type { CallRecord, ProbeResult } from './result.ts'
import type { BodySink, Transport } from './transport.ts'
import { type ValidateOptions, type Validation, validateScript, validateTree } from './validator.ts'
import { type Json, type JsonObject, safeJson } from './values/json.ts'

export type RunOptions = ({ source: string } | { ast: Script; isTreeFixed?: boolean }) & {
  /** Values by name; with `scopes`, one object of values by name for each scope. */
  variables?: Record<string, Json>
  /** Names of variable scopes, outermost first; see the validator. */
  scopes?: readonly string[]
  /** The previous result, for `prev`. */
  prev?: Json
  transport: Transport
  limits?: Partial<RunLimits>
  /** Default `lace-probe/VERSION (soundline)`. */
  userAgent?: string
  /** Stores response bodies; without it they are not stored. */
  bodies?: BodySink | null
  /**
   * The result truncates long compared values. Half a secret could no longer be found, so secrets are masked before the
   * value is truncated. Masking everything else is up to the caller.
   */
  secrets?: SecretMasking
  /** Owners share the threads for long computations fairly. Default: one common owner. */
  owner?: string
  checkRequest?: RequestCheck | null
  addedHeaders?: AddedHeaders | null
  /** Receives the phase of a timeout, for which the published result has no field. */
  onTimeout?: TimeoutListener | null
  /** Receives the certificates of all hops over TLS; the published result has only the server's of the last hop. */
  onCertificate?: CertificateListener | null
  /** When it aborts, the run rejects with its reason. */
  signal?: AbortSignal | null
  /** The start that the result records. Default: the clock's time. */
  startedAt?: Date
  clock?: Clock
}

/** Milliseconds. */
export type RunLimits = {
  /** For all calls and waits together. Default 60,000. */
  runTimeoutMs: number
  /** For a call without `timeout.ms`, redirects included. Default 30,000. */
  callTimeoutMs: number
  /** The largest `timeout.ms` of a call. Default 300,000. */
  maxTimeoutMs: number
  /** The largest `redirects.max` of a call, and its default. Default 10. */
  maxRedirects: number
}

export const LACE_VERSION = '0.9.7'
export const DEFAULT_USER_AGENT = `lace-probe/${LACE_VERSION} (soundline)`

const DEFAULT_LIMITS: RunLimits = {
  runTimeoutMs: 60_000,
  callTimeoutMs: 30_000,
  maxTimeoutMs: 300_000,
  maxRedirects: 10,
}

/**
 * Validates a script and runs it. A tree with `isTreeFixed` is validated once: the host runs it often and never changes it. Faults of the script or the target are recorded in the result; the promise rejects
 * only when `signal` aborts or `bodies` rejects.
 */
export async function runScript(options: RunOptions): Promise<ProbeResult> {
  const clock = options.clock ?? systemClock
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const scopes = options.scopes ?? []
  const prev = options.prev ?? null
  const startedElapsed = clock.elapsed()
  const startedAt = isoTime(options.startedAt?.getTime() ?? clock.now())
  const finish = (result: Omit<ProbeResult, 'startedAt' | 'endedAt' | 'elapsedMs'>): ProbeResult => {
    const { outcome, ...rest } = result
    const elapsedMs = Math.max(0, Math.round(clock.elapsed() - startedElapsed))
    return safeJson({ outcome, startedAt, endedAt: isoTime(clock.now()), elapsedMs, ...rest })
  }

  // At run time a missing variable is null, not an error.
  const rules = { ...limits, scopes, variables: null, hasPrev: prev !== null }
  const { ast, errors, warnings } =
    'source' in options
      ? validateScript(options.source, rules)
      : validate(options.ast, rules, options.isTreeFixed ?? false)
  const validationWarnings = warnings.length > 0 ? { validationWarnings: warnings.map(toWarning) } : {}
  if (ast === null || errors.length > 0) {
    return finish({
      outcome: 'failure',
      runVars: {},
      calls: [],
      actions: {},
      ...validationWarnings,
      error: refusalMessage(errors),
    })
  }

  if (ast.calls.length > MAX_CALLS) {
    const error = `the script has more than ${MAX_CALLS} calls`
    return finish({ outcome: 'failure', runVars: {}, calls: [], actions: {}, ...validationWarnings, error })
  }

  const secrets = options.secrets ?? NO_MASK
  const run = new Run({
    variables: (options.variables ?? {}) as JsonObject,
    prev,
    scopes,
    transport: options.transport,
    bodies: options.bodies ?? null,
    signal: options.signal ?? null,
    clock,
    defaults: {
      timeoutMs: Math.min(limits.callTimeoutMs, limits.maxTimeoutMs),
      maxRedirects: limits.maxRedirects,
      userAgent: options.userAgent ?? DEFAULT_USER_AGENT,
    },
    runTimeoutMs: limits.runTimeoutMs,
    secrets,
    owner: options.owner ?? '',
    checkRequest: options.checkRequest ?? null,
    addedHeaders: options.addedHeaders ?? null,
    onTimeout: options.onTimeout ?? null,
    onCertificate: options.onCertificate ?? null,
  })
  const { outcome, calls } = await runCalls(ast, run)
  const truncate = (variables: JsonObject) => truncateVariables(variables, secrets.maxLength, secrets.maskPrefix)
  const runVars = await truncate(run.stores.runVars)
  const variables = await truncate(run.stores.writtenBack)
  const actions = Object.keys(variables).length > 0 ? { variables } : {}
  return finish({ outcome, runVars, calls, actions, ...validationWarnings })
}

/** Returns the result of a run that could not start: nothing was validated or sent. */
export function refusedResult(error: string, clock: Clock = systemClock): ProbeResult {
  const now = isoTime(clock.now())
  return { outcome: 'failure', startedAt: now, endedAt: now, elapsedMs: 0, runVars: {}, calls: [], actions: {}, error }
}

type TreeRules = Pick<ValidateOptions, 'maxRedirects' | 'maxTimeoutMs' | 'hasPrev'> & { scopes: readonly string[] }

/** What the validator found in trees that their host never changes, with the rules that it applied last. */
const validated = new WeakMap<Script, { key: string; validation: Validation }>()

function validate(ast: Script, rules: TreeRules, isFixed: boolean): Validation {
  if (!isFixed) return validateTree(ast, { ...rules, variables: null })
  const key = `${rules.maxRedirects} ${rules.maxTimeoutMs} ${rules.hasPrev} ${rules.scopes.join(' ')}`
  const known = validated.get(ast)
  if (known?.key === key) return known.validation
  const validation = validateTree(ast, { ...rules, variables: null })
  validated.set(ast, { key, validation })
  return validation
}

async function runCalls(ast: Script, run: Run): Promise<Pick<ProbeResult, 'outcome' | 'calls'>> {
  let outcome: ProbeResult['outcome'] = 'success'
  const calls: CallRecord[] = []
  for (const [index, call] of ast.calls.entries()) {
    run.signal?.throwIfAborted()
    if (outcome === 'success' && run.remaining() <= 0) outcome = 'timeout'
    if (outcome !== 'success') {
      calls.push(emptyCallRecord(index))
      continue
    }
    const { record, stop } = await runCall(call, index, run)
    calls.push(record)
    if (stop !== null) outcome = stop
    else if (call.chain.wait !== undefined) {
      // A wait after the last call can also exceed the run's limit.
      const remainingMs = Math.max(0, run.remaining())
      if (call.chain.wait > remainingMs) outcome = 'timeout'
      await run.clock.sleep(Math.min(call.chain.wait, remainingMs), run.signal)
      record.endedAt = run.timestamp()
    }
  }
  return { outcome, calls }
}

function toWarning({ code, callIndex, chainMethod, detail }: LaceError) {
  return chainMethod ? { code, callIndex, chainMethod, detail } : { code, callIndex, detail }
}

function refusalMessage(errors: LaceError[]): string {
  const codes = [...new Set(errors.map((error) => error.code))]
  const [first] = errors
  const position = first?.line ? `line ${first.line}: ` : ''
  return `validation failed: ${codes.join(', ')} (${position}${first?.detail ?? 'the script cannot be parsed'})`
}
