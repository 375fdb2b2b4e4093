import type { Call } from '../ast.ts'
import type { AssertionRecord, CallConfigRecord } from '../result.ts'
import type { TransportResponse } from '../transport.ts'
import { emptyObject, type Json, type JsonObject } from '../values/json.ts'
import { RunFault, Work, WorkSpent } from '../values/limits.ts'
import { AssertionLog, type Cut, type RecordLimits } from './assertion-log.ts'
import { runChain } from './chain.ts'
import { type EvaluationContext, TEXT_BOUND, warn } from './context.ts'
import { evaluate } from './evaluate.ts'
import { parseSize } from './expect-scopes.ts'
import { type CallDefaults, type ResolvedRequest, resolveConfig, resolveRequest } from './request.ts'
import { ResponseView } from './response.ts'
import type { Stores } from './store.ts'

// What is computed of a call, apart from the network: plain data in, plain data out, so that it can be done in place or
// in a thread of its own, alike.

/** What expressions can see of the run. */
export type Surroundings = { variables: JsonObject; runVars: JsonObject; prev: Json; scopes: readonly string[] }

export type RequestTask = { kind: 'request'; call: Call; defaults: CallDefaults }
export type ChainTask = {
  kind: 'chain'
  call: Call
  received: TransportResponse
  requestUrl: string
  redirects: string[]
  limits: ChainLimits
}
export type Task = (RequestTask | ChainTask) & { surroundings: Surroundings; steps: number }

/** `store`: characters that `.store()` may still take. `beyondCut`: as for the log of assertions. */
export type ChainLimits = { records: RecordLimits; store: number; beyondCut: number }

/** Either what was asked for, or why the call cannot go on. `stepsLeft` of those granted; negative when they ran out. */
export type Outcome = {
  value: Prepared | Checked | null
  fault: string | null
  stepsLeft: number
  warnings: string[]
}

export type Prepared = { request: ResolvedRequest; config: CallConfigRecord }

export type Checked = {
  passed: boolean
  assertions: AssertionRecord[]
  cuts: Cut[]
  limits: RecordLimits
  /** What the call stored. */
  runVars: JsonObject
  writtenBack: JsonObject
  storeLeft: number
  /** Whether the body is larger than the scope `bodySize` lets it be. */
  isBodyTooLarge: boolean
}

/** Does what a task says, up to its number of steps. */
export async function perform(task: Task): Promise<Outcome> {
  const work = new Work(task.steps)
  const context: EvaluationContext = {
    ...task.surroundings,
    scopes: new Set(task.surroundings.scopes),
    response: null,
    warnings: [],
    work,
    bound: TEXT_BOUND,
  }
  const done = { stepsLeft: 0, warnings: context.warnings }
  try {
    const value = task.kind === 'request' ? prepare(task.call, context, task.defaults) : await check(task, context)
    return { ...done, value, fault: null, stepsLeft: work.left }
  } catch (error) {
    if (error instanceof WorkSpent) return { ...done, value: null, fault: null, stepsLeft: -1 }
    if (error instanceof RunFault) return { ...done, value: null, fault: error.message, stepsLeft: work.left }
    throw error
  }
}

function prepare(call: Call, context: EvaluationContext, defaults: CallDefaults): Prepared {
  return { request: resolveRequest(call, context, defaults), config: resolveConfig(call, context, defaults) }
}

async function check(task: ChainTask, context: EvaluationContext): Promise<Checked> {
  const { call, received, requestUrl, redirects, limits } = task
  const view = new ResponseView(received, requestUrl, redirects, context)
  context.response = view
  const isBodyTooLarge = exceedsBodySize(call, received, context)
  const log = new AssertionLog(limits.records, limits.beyondCut, context)
  const stores: Stores = {
    runVars: Object.assign(emptyObject(), context.runVars),
    writtenBack: emptyObject(),
    left: limits.store,
  }
  const passed = await runChain(call.chain, view, context, log, stores)
  log.finish()
  if (view.bodyWarning !== null) warn(context, view.bodyWarning)
  return {
    passed,
    assertions: log.records,
    cuts: log.cuts,
    limits: log.limits,
    runVars: added(context.runVars, stores.runVars),
    writtenBack: stores.writtenBack,
    storeLeft: stores.left,
    isBodyTooLarge,
  }
}

/** The scope `bodySize` is also a limit on what is kept. */
function exceedsBodySize(call: Call, { sizeBytes }: TransportResponse, context: EvaluationContext): boolean {
  return [call.chain.expect?.bodySize, call.chain.check?.bodySize].some((scope) => {
    if (!scope) return false
    const limit = parseSize(evaluate(scope.value, { ...context, warnings: [] }))
    return limit !== null && sizeBytes > limit
  })
}

function added(before: JsonObject, after: JsonObject): JsonObject {
  const fresh = emptyObject()
  for (const [name, value] of Object.entries(after)) if (!Object.hasOwn(before, name)) fresh[name] = value
  return fresh
}
