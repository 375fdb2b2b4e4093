import { RECORD_BUDGET, type RecordBudget } from '../evaluation/assertion-log.ts'
import { warn } from '../evaluation/context.ts'
import type { CallDefaults } from '../evaluation/request.ts'
import { MAX_STORE_SIZE, type StoredValues } from '../evaluation/store.ts'
import {
  type ChainResult,
  type ChainTask,
  type PreparedRequest,
  perform,
  type RequestTask,
  type Task,
  type TaskOutcome,
} from '../evaluation/task.ts'
import { shouldYield, yieldToEventLoop } from '../event-loop.ts'
import type { Transport } from '../transport.ts'
import { emptyObject, type Json, type JsonObject } from '../values/json.ts'
import { CallError, MAX_RUN_STEPS, StepLimitExceeded } from '../values/limits.ts'
import type { Clock } from './clock.ts'
import { CookieJars } from './cookie-jar.ts'
import type { OutgoingHop } from './redirects.ts'
import { ResultSizeLimit } from './result-size.ts'
import { TaskAborted, threads } from './thread-pool.ts'

/** Takes a response's body; gives where it lies, or null when it is not kept. */
export type BodySink = (body: { callIndex: number; body: Buffer; contentType: string }) => Promise<string | null>

/** How secrets are kept out of what is cut short. */
export type SecretMasking = {
  /** Of the longest way to spell one, in characters. */
  maxLength: number
  /** The first `length` characters of a text, without secrets. */
  maskPrefix: (text: string, length: number) => Promise<string>
}

export const NO_MASK: SecretMasking = { maxLength: 0, maskPrefix: async (text, length) => text.slice(0, length) }

export type RunSettings = {
  variables: JsonObject
  prev: Json
  scopes: readonly string[]
  transport: Transport
  bodies: BodySink | null
  signal: AbortSignal | null
  clock: Clock
  defaults: CallDefaults
  /** Milliseconds for all calls together. */
  runTimeoutMs: number
  secrets: SecretMasking
  /** Whose run it is: those of one owner share what there is of threads. */
  owner: string
  checkRequest: RequestCheck | null
}

/** Asked before anything of a call is sent, at each redirect anew; a text refuses it, and the run ends with that. */
export type RequestCheck = (request: OutgoingHop & { callIndex: number }) => Promise<string | null>

/** What is computed in place: some four milliseconds. More than that is done in a thread. */
const INLINE_STEPS = 4_000_000

/** What the calls of one run share. */
export class Run {
  readonly jars = new CookieJars()
  readonly stores: StoredValues = { runVars: emptyObject(), writtenBack: emptyObject(), remaining: MAX_STORE_SIZE }
  recordBudget: RecordBudget = RECORD_BUDGET
  readonly resultSize = new ResultSizeLimit()
  readonly transport: Transport
  readonly bodies: BodySink | null
  readonly checkRequest: RequestCheck | null
  readonly signal: AbortSignal | null
  readonly clock: Clock
  readonly defaults: CallDefaults
  readonly secrets: SecretMasking
  readonly limitMessage: string
  private stepsLeft = MAX_RUN_STEPS
  private readonly settings: RunSettings
  private readonly endsAt: number

  constructor(settings: RunSettings) {
    const { transport, bodies, signal, clock, defaults, secrets, runTimeoutMs } = settings
    this.settings = settings
    this.transport = transport
    this.bodies = bodies
    this.checkRequest = settings.checkRequest
    this.signal = signal
    this.clock = clock
    this.defaults = defaults
    this.secrets = secrets
    this.endsAt = clock.elapsed() + runTimeoutMs
    this.limitMessage = `the run passed its limit of ${runTimeoutMs} ms`
  }

  /** Puts a call's request together. Throws as `check` does. */
  async prepareRequest(task: RequestTask, warnings: string[]): Promise<PreparedRequest> {
    const prepared = (await this.performTask(task, warnings)) as PreparedRequest
    const { body } = prepared.request
    // From a thread, bytes come as a plain array of them.
    if (body !== null) prepared.request.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    return prepared
  }

  /**
   * Runs a call's chain. Throws `CallError` where the call cannot go on, and `StepLimitExceeded` when the run has used up its
   * computing time.
   */
  async evaluateChain(task: ChainTask, warnings: string[]): Promise<ChainResult> {
    return (await this.performTask(task, warnings)) as ChainResult
  }

  /** Milliseconds until the run's limit. */
  remaining(): number {
    return this.endsAt - this.clock.elapsed()
  }

  timestamp(): string {
    return new Date(this.clock.now()).toISOString()
  }

  /** At once where it is small, else in a thread. */
  private async performTask(
    given: RequestTask | ChainTask,
    warnings: string[],
  ): Promise<PreparedRequest | ChainResult> {
    const { variables, prev, scopes } = this.settings
    const task = { ...given, environment: { variables, prev, scopes, runVars: this.stores.runVars } }
    if (shouldYield()) await yieldToEventLoop()
    let stepsGranted = Math.min(this.stepsLeft, INLINE_STEPS)
    let outcome = await perform({ ...task, steps: stepsGranted })
    if (outcome.stepsLeft < 0 && this.stepsLeft > stepsGranted) {
      stepsGranted = this.stepsLeft
      outcome = await this.inThread({ ...task, steps: stepsGranted })
    }
    this.stepsLeft -= stepsGranted - outcome.stepsLeft
    for (const warning of outcome.warnings) warn({ warnings }, warning)
    if (outcome.stepsLeft < 0) throw new StepLimitExceeded()
    if (outcome.value === null) throw new CallError(outcome.error ?? '')
    return outcome.value
  }

  private async inThread(task: Task): Promise<TaskOutcome> {
    try {
      return await threads.perform(task, this.settings.owner, this.signal)
    } catch (error) {
      if (!(error instanceof TaskAborted)) throw error
      if (error.reason === 'time') throw new StepLimitExceeded()
      throw new CallError('what the call computes takes more memory than a run may have')
    }
  }
}
