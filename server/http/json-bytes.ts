import { setImmediate } from 'node:timers/promises'
import { shouldYield, yieldToEventLoop } from '../lace/event-loop.ts'

const MANY_ITEMS = 20

/**
 * Returns the JSON of a value in UTF-8. The `items` of a page are serialized one by one and yield to other work in
 * between: a hundred services with scripts of 64 kB would block the event loop for 50 ms.
 */
export async function jsonBytes(value: unknown): Promise<Uint8Array> {
  if (!isPage(value)) return Buffer.from(JSON.stringify(value))
  const { items, ...rest } = value
  // Reading the page has already used a part of this turn.
  if (items.length >= MANY_ITEMS) await setImmediate()
  const parts: Buffer[] = [Buffer.from('{"items":[')]
  for (const [index, item] of items.entries()) {
    if (shouldYield()) await yieldToEventLoop()
    parts.push(Buffer.from(`${index > 0 ? ',' : ''}${JSON.stringify(item)}`))
  }
  if (items.length >= MANY_ITEMS) await setImmediate()
  const others = JSON.stringify(rest).slice(1)
  parts.push(Buffer.from(others === '}' ? ']}' : `],${others}`))
  return Buffer.concat(parts)
}

function isPage(value: unknown): value is { items: unknown[] } {
  return typeof value === 'object' && value !== null && Array.isArray((value as { items?: unknown }).items)
}
