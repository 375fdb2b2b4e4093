import { RECORD_LIMITS, type RecordLimits } from '../evaluation/assertion-log.ts'
import { warn } from '../evaluation/context.ts'
import type { CallDefaults } from '../evaluation/request.ts'
import { STORE_SIZE, type Stores } from '../evaluation/store.ts'
import {
  type ChainTask,
  type Checked,
  type Outcome,
  type Prepared,
  perform,
  type RequestTask,
  type Task,
} from '../evaluation/task.ts'
import { isTurnOver, nextTurn } from '../event-loop.ts'
import type { Transport } from '../transport.ts'
import { emptyObject, type Json, type JsonObject } from '../values/json.ts'
import { RUN_STEPS, RunFault, WorkSpent } from '../values/limits.ts'
import type { Clock } from './clock.ts'
import { CookieJars } from './cookie-jar.ts'
import type { OutgoingHop } from './redirects.ts'
import { ResultRoom } from './result-size.ts'
import { TaskEnded, threads } from './thread-pool.ts'

/** Takes a response's body; gives where it lies, or null when it is not kept. */
export type BodySink = (body: { callIndex: number; body: Buffer; contentType: string }) => Promise<string | null>

/** How secrets are kept out of what is cut short. */
export type Secrets = {
  /** Of the longest way to spell one, in characters. */
  longest: number
  /** The first `length` characters of a text, without secrets. */
  maskStart: (text: string, length: number) => Promise<string>
}

export const NO_SECRETS: Secrets = { longest: 0, maskStart: async (text, length) => text.slice(0, length) }

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
  secrets: Secrets
  /** Whose run it is: those of one owner share what there is of threads. */
  owner: string
  admit: Admit | null
}

/** Asked before anything of a call is sent, at each redirect anew; a text refuses it, and the run ends with that. */
export type Admit = (request: OutgoingHop & { callIndex: number }) => Promise<string | null>

/** What is computed in place: some four milliseconds. More than that is done in a thread. */
const STEPS_IN_PLACE = 4_000_000

/** What the calls of one run share. */
export class Run {
  readonly jars = new CookieJars()
  readonly stores: Stores = { runVars: emptyObject(), writtenBack: emptyObject(), left: STORE_SIZE }
  records: RecordLimits = RECORD_LIMITS
  readonly room = new ResultRoom()
  readonly transport: Transport
  readonly bodies: BodySink | null
  readonly admit: Admit | null
  readonly signal: AbortSignal | null
  readonly clock: Clock
  readonly defaults: CallDefaults
  readonly secrets: Secrets
  readonly limitMessage: string
  private stepsLeft = RUN_STEPS
  private readonly settings: RunSettings
  private readonly endsAt: number

  constructor(settings: RunSettings) {
    const { transport, bodies, signal, clock, defaults, secrets, runTimeoutMs } = settings
    this.settings = settings
    this.transport = transport
    this.bodies = bodies
    this.admit = settings.admit
    this.signal = signal
    this.clock = clock
    this.defaults = defaults
    this.secrets = secrets
    this.endsAt = clock.elapsed() + runTimeoutMs
    this.limitMessage = `the run passed its limit of ${runTimeoutMs} ms`
  }

  /** Puts a call's request together. Throws as `check` does. */
  async prepare(task: RequestTask, warnings: string[]): Promise<Prepared> {
    const prepared = (await this.compute(task, warnings)) as Prepared
    const { body } = prepared.request
    // From a thread, bytes come as a plain array of them.
    if (body !== null) prepared.request.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    return prepared
  }

  /**
   * Runs a call's chain. Throws `RunFault` where the call cannot go on, and `WorkSpent` when the run has used up its
   * computing time.
   */
  async check(task: ChainTask, warnings: string[]): Promise<Checked> {
    return (await this.compute(task, warnings)) as Checked
  }

  /** Milliseconds until the run's limit. */
  remaining(): number {
    return this.endsAt - this.clock.elapsed()
  }

  timestamp(): string {
    return new Date(this.clock.now()).toISOString()
  }

  /** At once where it is small, else in a thread. */
  private async compute(given: RequestTask | ChainTask, warnings: string[]): Promise<Prepared | Checked> {
    const { variables, prev, scopes } = this.settings
    const task = { ...given, surroundings: { variables, prev, scopes, runVars: this.stores.runVars } }
    if (isTurnOver()) await nextTurn()
    let granted = Math.min(this.stepsLeft, STEPS_IN_PLACE)
    let outcome = await perform({ ...task, steps: granted })
    if (outcome.stepsLeft < 0 && this.stepsLeft > granted) {
      granted = this.stepsLeft
      outcome = await this.inThread({ ...task, steps: granted })
    }
    this.stepsLeft -= granted - outcome.stepsLeft
    for (const warning of outcome.warnings) warn({ warnings }, warning)
    if (outcome.stepsLeft < 0) throw new WorkSpent()
    if (outcome.value === null) throw new RunFault(outcome.fault ?? '')
    return outcome.value
  }

  private async inThread(task: Task): Promise<Outcome> {
    try {
      return await threads.perform(task, this.settings.owner, this.signal)
    } catch (error) {
      if (!(error instanceof TaskEnded)) throw error
      if (error.reason === 'time') throw new WorkSpent()
      throw new RunFault('what the call computes takes more memory than a run may have')
    }
  }
}
