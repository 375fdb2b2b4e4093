import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import type { AppRouter } from '#server/router.ts'
import type { LiveMessage } from '#server/schemas/live/messages.ts'

/** A network that drops everything gives no error. */
const OPEN_MAX_MS = 10_000

export type StreamEvents = {
  onMessage: (message: LiveMessage) => void
  /**
   * Called once, when the stream has ended, failed, or could not be opened; then nothing is called any more. `silentMs` is
   * the time since its last sign of life.
   */
  onEnd: (silentMs: number) => void
}

/** Opens the stream of changes. It does not reconnect, because the age of the data is another one then. */
export function openStream(ageMs: number, { onMessage, onEnd }: StreamEvents): { close: () => void } {
  let lastAt = Date.now()
  let isOver = false
  const opening = setTimeout(() => end(), OPEN_MAX_MS)
  const onSign = () => {
    lastAt = Date.now()
    clearTimeout(opening)
  }
  const end = () => {
    if (isOver) return
    isOver = true
    clearTimeout(opening)
    // Later, because this may be called before `subscribe` has returned.
    queueMicrotask(() => subscription.unsubscribe())
    onEnd(Date.now() - lastAt)
  }
  /** tRPC does not pass the server's heartbeats on. */
  class WatchedEventSource extends EventSource {
    constructor(url: string | URL, options?: EventSourceInit) {
      super(url, options)
      this.addEventListener('ping', onSign)
    }
  }
  const link = httpSubscriptionLink({ url: '/api/trpc', EventSource: WatchedEventSource })
  const subscription = createTRPCClient<AppRouter>({ links: [link] }).live.changes.subscribe(
    { ageMs },
    {
      onData: (message) => {
        onSign()
        if (!isOver) onMessage(message)
      },
      onConnectionStateChange: ({ state, error }) => {
        if (state === 'connecting' && error) end()
      },
      onError: end,
      onComplete: end,
    },
  )
  return {
    close() {
      isOver = true
      clearTimeout(opening)
      subscription.unsubscribe()
    },
  }
}
