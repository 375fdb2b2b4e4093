import type { QueryClient } from '@tanstack/react-query'
import type { LiveMessage } from '#server/schemas/live/messages.ts'
import { Refresher } from './refresher.ts'
import { takeSlot } from './slots.ts'
import { openStream } from './stream.ts'

/** A hidden page closes its stream after this time. Browsers allow only six connections to a host for all pages. */
const HIDDEN_MS = 15_000
const POLL_MS = 10_000
/** A poll without a response has failed after this time. */
const POLL_MAX_MS = 15_000
/** After so many failures in a row the page polls, until a stream is open again. */
const FAILURES_MAX = 2
const [RETRY_MIN_MS, RETRY_MAX_MS] = [500, 60_000]

export type Connection = {
  /** Neither the stream nor polling works. */
  isLost: boolean
  /** The page shows every change until this time, in milliseconds since the epoch. */
  freshAt: number
}

/**
 * Keeps the page's data up to date: by a stream of changes while one is open, otherwise by polling. A hidden page does
 * neither, and catches up when it is shown.
 */
export class LiveUpdates {
  readonly #client: QueryClient
  readonly #refresher: Refresher
  readonly #listeners = new Set<() => void>()
  readonly #stopped = new AbortController()
  #connection: Connection
  #stream: { close: () => void } | null = null
  #isLive = false
  #failures = 0
  /** Changes when polling starts or stops. */
  #polling: object | null = null
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #hideTimer: ReturnType<typeof setTimeout> | undefined

  constructor(client: QueryClient) {
    this.#client = client
    this.#refresher = new Refresher(client)
    // The first data was loaded after the browser asked for the page.
    this.#connection = { isLost: false, freshAt: performance.timeOrigin }
    const { signal } = this.#stopped
    document.addEventListener('visibilitychange', () => this.#onVisibility(), { signal })
    window.addEventListener('online', () => this.#connectNow(), { signal })
    window.addEventListener('offline', () => this.#onEnd(0), { signal })
    this.#onVisibility()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly current = (): Connection => this.#connection

  stop(): void {
    this.#stopped.abort()
    this.#disconnect()
    clearTimeout(this.#hideTimer)
    this.#refresher.stop()
  }

  #onVisibility(): void {
    clearTimeout(this.#hideTimer)
    if (document.hidden) this.#hideTimer = setTimeout(() => this.#disconnect(), HIDDEN_MS)
    else if (!this.#stream) this.#connectNow()
  }

  #connectNow(): void {
    this.#failures = 0
    void this.#connect()
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#retryTimer)
    if (this.#stream || document.hidden) return
    const release = await takeSlot()
    if (!release || this.#stream || document.hidden || this.#stopped.signal.aborted) {
      release?.()
      if (!this.#stream) this.#onEnd(0)
      return
    }
    const ageMs = Math.max(0, Math.round(Date.now() - this.#connection.freshAt))
    const { close } = openStream(ageMs, {
      onMessage: (message) => this.#onMessage(message),
      onEnd: (silentMs) => this.#onEnd(silentMs),
    })
    this.#stream = {
      close() {
        close()
        release()
      },
    }
  }

  #onMessage({ isLive, topics }: LiveMessage): void {
    this.#failures = 0
    if (isLive || this.#isLive) this.#set({ isLost: false, freshAt: Date.now() })
    this.#isLive = isLive
    if (!isLive) {
      this.#poll()
      return
    }
    this.#polling = null
    if (topics === null || topics.length > 0) this.#refresher.change(topics)
  }

  /** `silentMs`: for how long the stream may have been dead already. */
  #onEnd(silentMs: number): void {
    if (this.#stopped.signal.aborted) return
    this.#closeStream(silentMs)
    if (document.hidden) return
    this.#failures++
    if (this.#failures >= FAILURES_MAX || !navigator.onLine) this.#poll()
    const longestMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** this.#failures)
    clearTimeout(this.#retryTimer)
    this.#retryTimer = setTimeout(() => void this.#connect(), longestMs * (0.5 + Math.random() / 2))
  }

  #disconnect(): void {
    clearTimeout(this.#retryTimer)
    this.#polling = null
    this.#closeStream(0)
  }

  #closeStream(silentMs: number): void {
    this.#stream?.close()
    this.#stream = null
    if (this.#isLive) this.#set({ isLost: false, freshAt: Date.now() - silentMs })
    this.#isLive = false
  }

  #poll(): void {
    if (!this.#polling) void this.#pollUntilStopped()
  }

  async #pollUntilStopped(): Promise<void> {
    const polling = {}
    this.#polling = polling
    while (this.#polling === polling) {
      if (!document.hidden) await this.#pollOnce(polling)
      await wait(POLL_MS * (0.8 + Math.random() * 0.4))
    }
  }

  async #pollOnce(polling: object): Promise<void> {
    const startedAt = Date.now()
    // Requests without a response are cancelled by the next poll.
    await Promise.race([this.#client.refetchQueries({ type: 'active' }), wait(POLL_MAX_MS)])
    if (this.#polling !== polling) return
    // Every page of the dashboard has this query.
    const isFresh = (this.#client.getQueryState(['auth.me', null])?.dataUpdatedAt ?? 0) >= startedAt
    this.#set({ isLost: !isFresh, freshAt: isFresh ? startedAt : this.#connection.freshAt })
  }

  #set(connection: Connection): void {
    const { isLost } = this.#connection
    this.#connection = connection
    // While it works, pages show nothing of it, so that nothing is rendered at each change.
    if (isLost || connection.isLost) for (const listener of this.#listeners) listener()
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
