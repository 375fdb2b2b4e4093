import type { BodySink } from '#server/lace/transport.ts'
import { textPrefix } from '#server/lace/values/json.ts'
import type { Redactor } from '#server/redaction/redact.ts'
import { BODY_MAX_BYTES, type HeldRun } from '#server/schemas/agents/protocol.ts'
import type { Spool } from './spool.ts'

/** A body in the spool, or why there is none. */
export type CapturedBody = { call: number } & (
  | { contentType: string | null }
  | { reason: 'store_unavailable' | 'too_large' }
)

const CONTENT_TYPE_MAX = 256

/** Keeps the bodies of one run in the spool, without secrets. Writing happens in parallel to the run. */
export function captureBodies(
  run: HeldRun,
  spool: Spool,
  redactor: Redactor,
): { sink: BodySink; settle: () => Promise<CapturedBody[]> } {
  const captured: Promise<CapturedBody>[] = []
  return {
    sink: async ({ callIndex: call, body, contentType }) => {
      const bytes = await redactor.body(body, contentType)
      if (bytes === null || bytes.length > BODY_MAX_BYTES) {
        captured.push(Promise.resolve({ call, reason: 'too_large' }))
        return null
      }
      const shownType = headerValue(await redactor.text(contentType))
      captured.push(
        spool
          .putBody(run, call, bytes)
          .then((isStored) => (isStored ? { call, contentType: shownType } : { call, reason: 'store_unavailable' })),
      )
      return `call-${call}`
    },
    settle: () => Promise.all(captured),
  }
}

/** Returns a content type that can be sent as a header. */
function headerValue(contentType: string): string | null {
  const text = textPrefix(contentType, CONTENT_TYPE_MAX)
  return /^[\x20-\x7e]+$/.test(text) ? text : null
}
