import type { Script } from './ast.ts'
import type { LaceError } from './errors.ts'
import { runCall } from './executor/call.ts'
import { type Clock, systemClock } from './executor/clock.ts'
import { truncateVariables } from './executor/result-size.ts'
import { type BodySink, NO_MASK, type RequestCheck, Run, type SecretMasking } from './executor/run.ts'
import { MAX_CALLS } from './request-limits.ts'
import type { CallRecord, ProbeResult } from './result.ts'
import type { Transport } from './transport.ts'
import { validateScript, validateTree } from './validator.ts'
import { type Json, type JsonObject, safeJson } from './values/json.ts'

export type RunOptions = ({ source: string } | { ast: Script }) & {
  /** By name; with `scopes`, an object of values by name for each scope. */
  variables?: Record<string, Json>
  /** Names of variable scopes, outermost first; see the validator. */
  scopes?: readonly string[]
  /** The previous result, for `prev`. */
  prev?: Json
  transport: Transport
  limits?: Partial<RunLimits>
  /** Default `lace-probe/VERSION (soundline)`. */
  userAgent?: string
  /** Where bodies go; null or absent keeps none. */
  bodies?: BodySink | null
  /**
   * Compared values that are long are cut short in the result, and a secret that the cut halves could no longer be found:
   * so they are masked first. Everything else is left to whoever stores the result.
   */
  secrets?: SecretMasking
  /** Whose run it is: of the threads for long work, the runs of one owner get no more than others. Default: nobody's. */
  owner?: string
  checkRequest?: RequestCheck | null
  /** Aborting it makes the run reject with its reason. */
  signal?: AbortSignal | null
  /** What the result names as its start. Default: the clock's time. */
  startedAt?: Date
  clock?: Clock
}

/** Milliseconds. */
export type RunLimits = {
  /** All calls, waits included. Default 60,000. */
  runTimeoutMs: number
  /** One call that sets no `timeout.ms`, redirects included. Default 30,000. */
  callTimeoutMs: number
  /** What a call may set. Default 300,000. */
  maxTimeoutMs: number
  /** What a call may set, and the default. Default 10. */
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
 * Validates a script and runs it. Whatever goes wrong with script or target is in the result; it rejects only when
 * `signal` aborts, or when `bodies` does.
 */
export async function runScript(options: RunOptions): Promise<ProbeResult> {
  const clock = options.clock ?? systemClock
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const scopes = options.scopes ?? []
  const prev = options.prev ?? null
  const startedElapsed = clock.elapsed()
  const startedAt = (options.startedAt ?? new Date(clock.now())).toISOString()
  const finish = (result: Omit<ProbeResult, 'startedAt' | 'endedAt' | 'elapsedMs'>): ProbeResult => {
    const { outcome, ...rest } = result
    const elapsedMs = Math.max(0, Math.round(clock.elapsed() - startedElapsed))
    return safeJson({ outcome, startedAt, endedAt: new Date(clock.now()).toISOString(), elapsedMs, ...rest })
  }

  // At run time any name may be missing: it is null then, and no error.
  const rules = { ...limits, scopes, variables: null, hasPrev: prev !== null }
  const { ast, errors, warnings } =
    'source' in options ? validateScript(options.source, rules) : validateTree(options.ast, rules)
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
    const error = `the script makes more than ${MAX_CALLS} calls`
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
  })
  const { outcome, calls } = await runCalls(ast, run)
  const truncate = (variables: JsonObject) => truncateVariables(variables, secrets.maxLength, secrets.maskPrefix)
  const runVars = await truncate(run.stores.runVars)
  const variables = await truncate(run.stores.writtenBack)
  const actions = Object.keys(variables).length > 0 ? { variables } : {}
  return finish({ outcome, runVars, calls, actions, ...validationWarnings })
}

/** The result of a run that could not be begun: nothing was validated or sent. */
export function refusedResult(error: string, clock: Clock = systemClock): ProbeResult {
  const now = new Date(clock.now()).toISOString()
  return { outcome: 'failure', startedAt: now, endedAt: now, elapsedMs: 0, runVars: {}, calls: [], actions: {}, error }
}

async function runCalls(ast: Script, run: Run): Promise<Pick<ProbeResult, 'outcome' | 'calls'>> {
  let outcome: ProbeResult['outcome'] = 'success'
  const calls: CallRecord[] = []
  for (const [index, call] of ast.calls.entries()) {
    run.signal?.throwIfAborted()
    if (outcome === 'success' && run.remaining() <= 0) outcome = 'timeout'
    if (outcome !== 'success') {
      calls.push(skippedCall(index))
      continue
    }
    const { record, stop } = await runCall(call, index, run)
    calls.push(record)
    if (stop !== null) outcome = stop
    else if (call.chain.wait !== undefined) {
      // A wait at the end may use up the time of the run as well.
      const left = Math.max(0, run.remaining())
      if (call.chain.wait > left) outcome = 'timeout'
      await run.clock.sleep(Math.min(call.chain.wait, left), run.signal)
      record.endedAt = run.timestamp()
    }
  }
  return { outcome, calls }
}

function skippedCall(index: number): CallRecord {
  return {
    index,
    outcome: 'skipped',
    startedAt: null,
    endedAt: null,
    request: null,
    response: null,
    redirects: [],
    assertions: [],
    config: {},
    warnings: [],
    error: null,
  }
}

function toWarning({ code, callIndex, chainMethod, detail }: LaceError) {
  return chainMethod ? { code, callIndex, chainMethod, detail } : { code, callIndex, detail }
}

function refusalMessage(errors: LaceError[]): string {
  const codes = [...new Set(errors.map((error) => error.code))]
  const [first] = errors
  const place = first?.line ? `line ${first.line}: ` : ''
  return `validation failed: ${codes.join(', ')} (${place}${first?.detail ?? 'the script cannot be read'})`
}
