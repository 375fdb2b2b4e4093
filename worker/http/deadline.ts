import { PHASES, type Phase, TransportError } from '#server/language/lace/transport.ts'

/**
 * The end of one exchange: its timeout, or the abort of the caller. It has one listener at a time, because the steps of
 * an exchange follow each other. An `AbortSignal` with a listener for each step costs ten times as much.
 */
export class Deadline {
  /** The current phase, which a timeout names. */
  phase: Phase = 'dns'
  #reason: TransportError | null = null
  #listener: ((reason: TransportError) => void) | null = null
  #controller: AbortController | null = null
  #outer: AbortSignal | null
  readonly #timer: NodeJS.Timeout
  readonly #onAbort = () => this.#pass(new TransportError('aborted', 'the request was aborted'))

  constructor(timeoutMs: number, outer: AbortSignal | null) {
    this.#timer = setTimeout(() => {
      const { phase } = this
      const message = `no complete response within ${timeoutMs} ms (${PHASES[phase]})`
      this.#pass(new TransportError('timeout', message, { phase }))
    }, timeoutMs)
    this.#outer = outer
    if (outer?.aborted) this.#onAbort()
    else outer?.addEventListener('abort', this.#onAbort)
  }

  /** Why the exchange must end; null while it may go on. */
  get reason(): TransportError | null {
    return this.#reason
  }

  /** For steps that few exchanges have. It aborts with `reason`. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#reason) this.#controller.abort(this.#reason)
    return this.#controller.signal
  }

  /** Calls `listener` when the exchange must end, and at once when it must already. Replaces the listener before it. */
  watch(listener: (reason: TransportError) => void): void {
    if (this.#reason) listener(this.#reason)
    else this.#listener = listener
  }

  /** Rejects when the exchange must end; the work itself is not cancelled. */
  limit<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.watch(reject)
      work.then(resolve, reject)
    })
  }

  throwIfPassed(): void {
    if (this.#reason) throw this.#reason
  }

  /** Ends the timeout and the listening. Later calls do nothing. */
  end(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#onAbort)
    this.#outer = null
  }

  #pass(reason: TransportError): void {
    if (this.#reason) return
    this.#reason = reason
    this.#controller?.abort(reason)
    this.#listener?.(reason)
  }
}
