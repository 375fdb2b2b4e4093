import { setTimeout as sleep } from 'node:timers/promises'
import { CHECK_LIMIT_MS } from './busy-backends.ts'
import { Connection, driverOptions } from './connection.ts'
import type { PoolOptions } from './pool.ts'
import { repeat } from './repeat.ts'

/** The interval in which the idle connection is checked. */
const CHECK_MS = 5_000
/** The pause before the first and the longest pause between two attempts to connect. */
const [RETRY_DELAY_MS, RETRY_DELAY_MAX_MS] = [250, 5_000]

export type ListenerOptions = {
  target: PoolOptions['target']
  /** Shown as `application_name` in `pg_stat_activity`. */
  name: string
  /** A word of lower-case letters and underscores. */
  channel: string
  onNotification: (payload: string) => void
  /** Called when notifications arrive from now on: at first, and after each gap. */
  onListening: () => void
  /** Called when notifications may be lost from now on. */
  onLost: (error: unknown) => void
}

/** Listens to the notifications of a channel over one connection of its own, and connects again when it is lost. */
export class Listener {
  readonly #options: ListenerOptions
  readonly #closed = new AbortController()
  readonly #done: Promise<void>
  #connection: Connection | null = null

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#done = this.#run()
  }

  /** Ends the connection. Calls nothing more. */
  async close(): Promise<void> {
    this.#closed.abort()
    this.#connection?.end()
    await this.#done
  }

  async #run(): Promise<void> {
    let delayMs = RETRY_DELAY_MS
    while (!this.#closed.signal.aborted) {
      const error = await this.#listen(() => {
        delayMs = RETRY_DELAY_MS
      }).catch((reason: unknown) => reason)
      if (this.#closed.signal.aborted) return
      this.#options.onLost(error)
      await sleep(delayMs, undefined, { ref: false, signal: this.#closed.signal }).catch(() => {})
      delayMs = Math.min(delayMs * 2, RETRY_DELAY_MAX_MS)
    }
  }

  /** Resolves when the connection is lost. */
  async #listen(onListening: () => void): Promise<void> {
    const { target, name, channel, onNotification } = this.#options
    const onnotify = (_channel: string, payload: string) => onNotification(payload)
    const driver = { ...driverOptions(target, name, 0), onnotify }
    const connection = await Connection.open({ target, statementMs: 0, isPooled: false, driver })
    this.#connection = connection
    const send = (text: string) => connection.run(text, [], { isEnd: true, limitMs: CHECK_LIMIT_MS })
    let stopChecking = () => {}
    try {
      if (this.#closed.signal.aborted) return
      await send(`listen ${channel}`)
      onListening()
      this.#options.onListening()
      stopChecking = repeat(CHECK_MS, () => void send('').catch(() => {}))
      await connection.lost
    } finally {
      stopChecking()
      connection.end()
      this.#connection = null
    }
  }
}
