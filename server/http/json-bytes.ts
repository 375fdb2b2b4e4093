import { setImmediate } from 'node:timers/promises'
import { createSlices } from '../slices.ts'

const MANY = 20

/**
 * The JSON of a value in UTF-8. The `items` of a page are written one by one, in slices: a hundred services with scripts
 * of 64 kB take 50 ms in one go.
 */
export async function jsonBytes(value: unknown): Promise<Uint8Array> {
  if (!isPage(value)) return Buffer.from(JSON.stringify(value))
  const { items, ...rest } = value
  // What read the page has worked in this turn already.
  if (items.length >= MANY) await setImmediate()
  const slice = createSlices()
  const parts: Buffer[] = [Buffer.from('{"items":[')]
  for (const [index, item] of items.entries()) {
    await slice()
    parts.push(Buffer.from(`${index > 0 ? ',' : ''}${JSON.stringify(item)}`))
  }
  if (items.length >= MANY) await setImmediate()
  const others = JSON.stringify(rest).slice(1)
  parts.push(Buffer.from(others === '}' ? ']}' : `],${others}`))
  return Buffer.concat(parts)
}

function isPage(value: unknown): value is { items: unknown[] } {
  return typeof value === 'object' && value !== null && Array.isArray((value as { items?: unknown }).items)
}
