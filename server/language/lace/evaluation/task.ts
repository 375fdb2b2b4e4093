import type { Call } from '../ast.ts'
import type { AssertionRecord, CallConfigRecord } from '../result.ts'
import type { TransportResponse } from '../transport.ts'
import { emptyObject, type Json, type JsonObject } from '../values/json.ts'
import { CallError, DEFAULT_TEXT_LIMIT, StepBudget, StepLimitExceeded } from '../values/limits.ts'
import { AssertionLog, type RecordBudget, type TruncatedOperand } from './assertion-log.ts'
import { runChain } from './chain.ts'
import { type EvaluationContext, warn } from './context.ts'
import { evaluate } from './evaluate.ts'
import { parseSize } from './expect-scopes.ts'
import { type CallDefaults, type ResolvedRequest, resolveConfig, resolveRequest } from './request.ts'
import { ResponseView } from './response.ts'
import type { StoredValues } from './store.ts'

// The computations of a call, without the network. Their input and output are plain data, so they run inline or in a
// thread.

/** The values of the run that expressions can read. */
export type Environment = { variables: JsonObject; runVars: JsonObject; prev: Json; scopes: readonly string[] }

export type RequestTask = { kind: 'request'; call: Call; defaults: CallDefaults }
export type ChainTask = {
  kind: 'chain'
  call: Call
  received: TransportResponse
  requestUrl: string
  redirects: string[]
  limits: ChainLimits
}
export type Task = (RequestTask | ChainTask) & { environment: Environment; steps: number }

/** `storeRemaining`: characters that `.store()` may still take. `lookahead`: as for `AssertionLog`. */
export type ChainLimits = { recordBudget: RecordBudget; storeRemaining: number; lookahead: number }

/** The result of a task, or why the call cannot continue. `stepsLeft` is negative when the steps ran out. */
export type TaskOutcome = {
  value: PreparedRequest | ChainResult | null
  error: string | null
  stepsLeft: number
  warnings: string[]
}

export type PreparedRequest = { request: ResolvedRequest; config: CallConfigRecord }

export type ChainResult = {
  passed: boolean
  assertions: AssertionRecord[]
  truncated: TruncatedOperand[]
  recordBudget: RecordBudget
  /** The run variables that the call stored. */
  runVars: JsonObject
  writtenBack: JsonObject
  storeRemaining: number
  /** Whether the body exceeds the limit of the expect scope `bodySize`. */
  isBodyTooLarge: boolean
}

const scopeSets = new WeakMap<readonly string[], ReadonlySet<string>>()

/** A host names the same scopes in each run. */
function setOf(scopes: readonly string[]): ReadonlySet<string> {
  const known = scopeSets.get(scopes) ?? new Set(scopes)
  scopeSets.set(scopes, known)
  return known
}

/** Performs a task within its number of steps. */
export async function perform(task: Task): Promise<TaskOutcome> {
  const budget = new StepBudget(task.steps)
  const context: EvaluationContext = {
    ...task.environment,
    scopes: setOf(task.environment.scopes),
    response: null,
    warnings: [],
    budget,
    textLimit: DEFAULT_TEXT_LIMIT,
  }
  const done = { stepsLeft: 0, warnings: context.warnings }
  try {
    const value =
      task.kind === 'request' ? prepareRequest(task.call, context, task.defaults) : await evaluateChain(task, context)
    return { ...done, value, error: null, stepsLeft: budget.remaining }
  } catch (error) {
    if (error instanceof StepLimitExceeded) return { ...done, value: null, error: null, stepsLeft: -1 }
    if (error instanceof CallError) return { ...done, value: null, error: error.message, stepsLeft: budget.remaining }
    throw error
  }
}

function prepareRequest(call: Call, context: EvaluationContext, defaults: CallDefaults): PreparedRequest {
  return { request: resolveRequest(call, context, defaults), config: resolveConfig(call, context, defaults) }
}

async function evaluateChain(task: ChainTask, context: EvaluationContext): Promise<ChainResult> {
  const { call, received, requestUrl, redirects, limits } = task
  const view = new ResponseView(received, requestUrl, redirects, context)
  context.response = view
  const isBodyTooLarge = exceedsBodySize(call, received, context)
  const log = new AssertionLog(limits.recordBudget, limits.lookahead, context)
  const stores: StoredValues = {
    runVars: Object.assign(emptyObject(), context.runVars),
    writtenBack: emptyObject(),
    remaining: limits.storeRemaining,
  }
  const passed = await runChain(call.chain, view, context, log, stores)
  log.finish()
  if (view.bodyWarning !== null) warn(context, view.bodyWarning)
  return {
    passed,
    assertions: log.records,
    truncated: log.truncated,
    recordBudget: log.budget,
    runVars: addedFields(context.runVars, stores.runVars),
    writtenBack: stores.writtenBack,
    storeRemaining: stores.remaining,
    isBodyTooLarge,
  }
}

/** The expect scope `bodySize` also limits which bodies are stored. */
function exceedsBodySize(call: Call, { sizeBytes }: TransportResponse, context: EvaluationContext): boolean {
  return [call.chain.expect?.bodySize, call.chain.check?.bodySize].some((scope) => {
    if (!scope) return false
    const limit = parseSize(evaluate(scope.value, { ...context, warnings: [] }))
    return limit !== null && sizeBytes > limit
  })
}

function addedFields(before: JsonObject, after: JsonObject): JsonObject {
  const fresh = emptyObject()
  for (const [name, value] of Object.entries(after)) if (!Object.hasOwn(before, name)) fresh[name] = value
  return fresh
}
