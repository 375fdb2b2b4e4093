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
import type { BodySink, HopCertificate, Phase, Transport } from '../transport.ts'
import { emptyObject, type Json, type JsonObject } from '../values/json.ts'
import { CallError, MAX_RUN_STEPS, StepLimitExceeded } from '../values/limits.ts'
import { type Clock, isoTime } from './clock.ts'
import { CookieJars } from './cookie-jar.ts'
import type { OutgoingHop } from './redirects.ts'
import { ResultSizeLimit } from './result-size.ts'
import { TaskAborted, threads } from './thread-pool.ts'

/** Masks secrets in strings that are truncated. */
export type SecretMasking = {
  /** Length of the longest spelling of a secret, in characters. */
  maxLength: number
  /** Returns the first `length` characters of a string, with secrets masked. */
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
  /** For all calls together. */
  runTimeoutMs: number
  secrets: SecretMasking
  /** Runs of one owner share its part of the threads. */
  owner: string
  checkRequest: RequestCheck | null
  addedHeaders: AddedHeaders | null
  onTimeout: TimeoutListener | null
  onCertificate: CertificateListener | null
}

/** Called when a call has timed out, retries included. `phase` is null when redirects used up the time. */
export type TimeoutListener = (timeout: { callIndex: number; phase: Phase | null }) => void

/** Called for each hop over TLS, redirects included, with the certificate that expires first of its chain. */
export type CertificateListener = (certificate: HopCertificate) => void

/** Called before each hop of a call is sent. A string refuses the request, and the run ends with it as the error. */
export type RequestCheck = (request: OutgoingHop & { callIndex: number }) => Promise<string | null>

/** Returns headers for every request of a call, redirects included. The script's own headers replace them. */
export type AddedHeaders = (callIndex: number) => [name: string, value: string][]

/** Computations up to this size run inline, about four milliseconds. Larger ones run in a thread. */
const INLINE_STEPS = 4_000_000

/** The state that the calls of one run share. */
export class Run {
  readonly jars = new CookieJars()
  readonly stores: StoredValues = { runVars: emptyObject(), writtenBack: emptyObject(), remaining: MAX_STORE_SIZE }
  recordBudget: RecordBudget = RECORD_BUDGET
  readonly resultSize = new ResultSizeLimit()
  readonly transport: Transport
  readonly bodies: BodySink | null
  readonly checkRequest: RequestCheck | null
  readonly addedHeaders: AddedHeaders | null
  readonly onTimeout: TimeoutListener | null
  readonly onCertificate: CertificateListener | null
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
    this.addedHeaders = settings.addedHeaders
    this.onTimeout = settings.onTimeout
    this.onCertificate = settings.onCertificate
    this.signal = signal
    this.clock = clock
    this.defaults = defaults
    this.secrets = secrets
    this.endsAt = clock.elapsed() + runTimeoutMs
    this.limitMessage = `the run exceeded its limit of ${runTimeoutMs} ms`
  }

  /** Builds a call's request. Throws like `evaluateChain`. */
  async prepareRequest(task: RequestTask, warnings: string[]): Promise<PreparedRequest> {
    const prepared = (await this.performTask(task, warnings)) as PreparedRequest
    const { body } = prepared.request
    // A thread returns a Buffer as a plain Uint8Array.
    if (body !== null) prepared.request.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    return prepared
  }

  /**
   * Evaluates a call's chain.
   *
   * @throws CallError when the call cannot continue
   * @throws StepLimitExceeded when the run has used up its steps
   */
  async evaluateChain(task: ChainTask, warnings: string[]): Promise<ChainResult> {
    return (await this.performTask(task, warnings)) as ChainResult
  }

  /** Returns the milliseconds until the run's limit. */
  remaining(): number {
    return this.endsAt - this.clock.elapsed()
  }

  timestamp(): string {
    return isoTime(this.clock.now())
  }

  /** Performs a task inline; when it exceeds the inline limit, performs it again in a thread. */
  private async performTask(
    given: RequestTask | ChainTask,
    warnings: string[],
  ): Promise<PreparedRequest | ChainResult> {
    const { variables, prev, scopes } = this.settings
    const environment = { variables, prev, scopes, runVars: this.stores.runVars }
    if (shouldYield()) await yieldToEventLoop()
    let stepsGranted = Math.min(this.stepsLeft, INLINE_STEPS)
    const task = { ...given, environment, steps: stepsGranted }
    let outcome = await perform(task)
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
      throw new CallError('the expressions of the call take more memory than a run is allowed')
    }
  }
}
