import { shouldYield, yieldToEventLoop } from '#server/lace/event-loop.ts'

/** Bytes that are encrypted or hashed at once, which takes a millisecond. */
const STEP_BYTES = 512 * 1024

/** Calls `step` with parts of the bytes, and yields to the event loop between them. */
export async function inSteps<T>(bytes: Buffer, step: (part: Buffer) => T): Promise<T[]> {
  const parts: T[] = []
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (shouldYield()) await yieldToEventLoop()
    parts.push(step(bytes.subarray(at, at + STEP_BYTES)))
  }
  return parts
}
