import { setImmediate } from 'node:timers/promises'
import { shouldYield, yieldToEventLoop } from '../language/lace/event-loop.ts'

/** Node encodes a string in one piece when it sends it: a quarter of a millisecond for one of this length. */
const STRING_MAX = 262_144

/**
 * Returns the JSON of a value: a string, which is sent without a copy, or the bytes of a long page. The `items` of a page
 * are serialized one by one, and a long page yields to other work in between: a hundred services with scripts of 64 kB
 * would block the event loop for 50 ms.
 */
export async function jsonBody(value: unknown): Promise<string | Uint8Array> {
  if (!isPage(value)) return JSON.stringify(value)
  const { items, ...rest } = value
  const parts: Buffer[] = []
  let text = '{"items":['
  for (let at = 0; at < items.length; at++) {
    text += at > 0 ? `,${JSON.stringify(items[at])}` : JSON.stringify(items[at])
    if (text.length > STRING_MAX) {
      parts.push(Buffer.from(text))
      text = ''
      // Reading the page has already used a part of this turn.
      if (parts.length === 1) await setImmediate()
    }
    if (shouldYield()) await yieldToEventLoop()
  }
  const others = JSON.stringify(rest).slice(1)
  text += others === '}' ? ']}' : `],${others}`
  if (parts.length === 0) return text
  await setImmediate()
  return Buffer.concat([...parts, Buffer.from(text)])
}

function isPage(value: unknown): value is { items: unknown[] } {
  return typeof value === 'object' && value !== null && Array.isArray((value as { items?: unknown }).items)
}
