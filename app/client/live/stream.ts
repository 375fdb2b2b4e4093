import type { LiveMessage } from '#server/schemas/live/messages.ts'

/** A network that drops everything gives no error. */
const OPEN_MAX_MS = 10_000
/** The server sends a sign of life every 15 seconds. */
const SILENCE_MAX_MS = 45_000

export type StreamEvents = {
  onMessage: (message: LiveMessage) => void
  /**
   * Called once, when the stream has ended, failed, or could not be opened; then nothing is called any more. `silentMs` is
   * the time since its last sign of life.
   */
  onEnd: (silentMs: number) => void
}

/**
 * Opens the stream of changes, a tRPC subscription, by the browser's own EventSource: tRPC's client would be a twentieth of
 * the code of each page. It does not reconnect, because the age of the data is another one then.
 */
export function openStream(ageMs: number, { onMessage, onEnd }: StreamEvents): { close: () => void } {
  const source = new EventSource(`/api/trpc/live.changes?input=${encodeURIComponent(JSON.stringify({ ageMs }))}`)
  let lastAt = Date.now()
  let isOver = false
  const close = () => {
    isOver = true
    clearTimeout(timer)
    source.close()
  }
  const end = () => {
    if (isOver) return
    close()
    onEnd(Date.now() - lastAt)
  }
  let timer = setTimeout(end, OPEN_MAX_MS)
  const onSign = () => {
    if (isOver) return
    lastAt = Date.now()
    clearTimeout(timer)
    timer = setTimeout(end, SILENCE_MAX_MS)
  }
  source.addEventListener('ping', onSign)
  source.addEventListener('message', ({ data }) => {
    onSign()
    if (!isOver) onMessage(JSON.parse(data))
  })
  // `return` and `serialized-error` are tRPC's: the subscription has ended, or failed.
  for (const event of ['error', 'return', 'serialized-error']) source.addEventListener(event, end)
  return { close }
}
