import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, driverOptions } from '#db/connections/connection.ts'
import type { DatabaseTarget } from '#db/database-url.ts'

/** The interval in which the idle connection is checked, and the time in which it must answer. */
const [CHECK_MS, CHECK_LIMIT_MS] = [5_000, 2_000]
/** The pause between two attempts to connect. */
const RETRY_MS = 1_000

export type ListenerOptions = {
  target: DatabaseTarget
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
  readonly #closed = new AbortController()
  readonly #done: Promise<void>
  #connection: Connection | null = null

  constructor(options: ListenerOptions) {
    this.#done = this.#run(options)
  }

  /** Ends the connection. Calls nothing more. */
  async close(): Promise<void> {
    this.#closed.abort()
    this.#connection?.end()
    await this.#done
  }

  async #run(options: ListenerOptions): Promise<void> {
    const { signal } = this.#closed
    while (!signal.aborted) {
      const reason = await this.#listen(options).catch((error: unknown) => error)
      if (signal.aborted) return
      options.onLost(reason)
      await sleep(RETRY_MS, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  /** Resolves with the reason when the connection is lost. */
  async #listen({ target, name, channel, onNotification, onListening }: ListenerOptions): Promise<Error> {
    const onnotify = (_channel: string, payload: string) => onNotification(payload)
    const driver = { ...driverOptions(target, name, 0), onnotify }
    const connection = await Connection.open({ target, statementMs: 0, isPooled: false, driver })
    this.#connection = connection
    const send = (text: string) => connection.run(text, [], { ignoresDeadline: true, limitMs: CHECK_LIMIT_MS })
    const checking = setInterval(() => void send('').catch(() => {}), CHECK_MS).unref()
    try {
      await send(`listen ${channel}`)
      // Closed while it connected: `close` could not end this connection.
      if (this.#closed.signal.aborted) return new Error('the listener is closed')
      onListening()
      if (!connection.signal.aborted) await once(connection.signal, 'abort')
      return connection.signal.reason
    } finally {
      clearInterval(checking)
      connection.end()
    }
  }
}
