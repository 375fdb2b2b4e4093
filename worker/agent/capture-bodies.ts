import { isUtf8 } from 'node:buffer'
import { atMost, BodyTooLarge, piecesOf } from '#server/bodies/body-content.ts'
import type { BodySink } from '#server/language/lace/transport.ts'
import { textPrefix } from '#server/language/lace/values/json.ts'
import { isTextBody, type Redactor } from '#server/runs/redaction/redact.ts'
import { BODY_MAX_BYTES, type HeldRun } from '#server/schemas/agents/protocol.ts'
import type { Spool } from './spool.ts'

/** A body in the spool, or the reason why it is missing. */
export type CapturedBody = { call: number } & (
  | { contentType: string | null }
  | { reason: 'store_unavailable' | 'too_large' }
)

const CONTENT_TYPE_MAX = 256

/**
 * Keeps the bodies of one run in the spool, without secrets. They are masked, sealed and written in pieces, in parallel to the
 * run; a body waits until the one before it is written, so that a slow disk does not fill the memory.
 */
export function captureBodies(
  run: HeldRun,
  spool: Spool,
  redactor: Redactor,
): { sink: BodySink; settle: () => Promise<CapturedBody[]> } {
  const captured: Promise<CapturedBody>[] = []

  const store = async (call: number, body: Buffer, contentType: string): Promise<CapturedBody> => {
    const isText = isTextBody(contentType, isUtf8(body))
    const masked = () => atMost(isText ? redactor.stream(piecesOf(body)) : piecesOf(body), BODY_MAX_BYTES)
    try {
      if (!(await spool.putBody(run, call, masked))) return { call, reason: 'store_unavailable' }
      return { call, contentType: headerValue(await redactor.text(contentType)) }
    } catch (error) {
      if (!(error instanceof BodyTooLarge)) throw error
      return { call, reason: 'too_large' }
    }
  }

  return {
    sink: async ({ callIndex: call, body, contentType }) => {
      await captured.at(-1)
      const stored = store(call, body, contentType)
      // `settle` reports the error.
      stored.catch(() => {})
      captured.push(stored)
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
