import type { Transport } from '../transport.ts'
import type { OperandLimits } from './assertions.ts'
import type { Clock } from './clock.ts'
import type { EvaluationContext } from './context.ts'
import { CookieJars } from './cookie-jar.ts'
import type { OutgoingHop } from './follow.ts'
import { emptyObject, type Json, type JsonObject } from './json.ts'
import type { CallDefaults } from './request.ts'
import { STORE_SIZE, type Stores } from './store.ts'
import { Work } from './work.ts'

/** Takes a response's body; gives where it lies, or null when it is not kept. */
export type BodySink = (body: { callIndex: number; body: Buffer; contentType: string }) => Promise<string | null>

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
  maskStart: (text: string, length: number) => Promise<string>
  admit: Admit | null
}

/** Asked before anything of a call is sent, at each redirect anew; a text refuses it, and the run ends with that. */
export type Admit = (request: OutgoingHop & { callIndex: number }) => Promise<string | null>

/** What the calls of one run share. */
export class Run {
  readonly jars = new CookieJars()
  readonly stores: Stores = { runVars: emptyObject(), writtenBack: emptyObject(), left: STORE_SIZE }
  readonly operands: OperandLimits
  readonly transport: Transport
  readonly bodies: BodySink | null
  readonly admit: Admit | null
  readonly signal: AbortSignal | null
  readonly clock: Clock
  readonly defaults: CallDefaults
  readonly limitMessage: string
  private readonly work = new Work()
  private readonly settings: RunSettings
  private readonly endsAt: number

  constructor(settings: RunSettings) {
    const { transport, bodies, signal, clock, defaults, runTimeoutMs } = settings
    this.settings = settings
    this.transport = transport
    this.bodies = bodies
    this.admit = settings.admit
    this.signal = signal
    this.clock = clock
    this.defaults = defaults
    this.operands = { left: 512 * 1024, maskStart: settings.maskStart }
    this.endsAt = clock.elapsed() + runTimeoutMs
    this.limitMessage = `the run passed its limit of ${runTimeoutMs} ms`
  }

  newContext(): EvaluationContext {
    const { variables, prev, scopes } = this.settings
    return {
      variables,
      runVars: this.stores.runVars,
      prev,
      response: null,
      scopes: new Set(scopes),
      warnings: [],
      work: this.work,
    }
  }

  /** Milliseconds until the run's limit. */
  remaining(): number {
    return this.endsAt - this.clock.elapsed()
  }

  timestamp(): string {
    return new Date(this.clock.now()).toISOString()
  }
}
