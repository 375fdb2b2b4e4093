/** A value of the language: whatever JSON can say. Numbers are finite. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type JsonObject = { [key: string]: Json }

/**
 * What an ordered comparison or arithmetic with null gives: neither true nor false. It is a state of conditions, no
 * value; where it becomes one, it is null.
 */
export const INDETERMINATE = Symbol('indeterminate')
export type Indeterminate = typeof INDETERMINATE

export function nullIfIndeterminate(value: Json | Indeterminate): Json {
  return value === INDETERMINATE ? null : value
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object without prototype, so that no key means anything but itself. */
export function emptyObject(): JsonObject {
  return Object.create(null)
}

export type JsonMeasure = { size: number; depth: number }

/**
 * About how long a value's JSON is, in characters, and how deep it nests. Values may share parts and so be far longer
 * than the memory they take: past `limit` it stops counting. Never recurses.
 */
export function measureJson(value: Json, limit: number): JsonMeasure {
  let size = 0
  let deepest = 0
  const stack: { value: Json; depth: number }[] = [{ value, depth: 1 }]
  while (stack.length > 0 && size <= limit) {
    const { value: current, depth } = stack.pop()!
    if (typeof current === 'string') size += current.length + 2
    else if (typeof current !== 'object' || current === null) size += 5
    else {
      size += 2
      deepest = Math.max(deepest, depth)
      if (Array.isArray(current)) {
        // Each item takes a character more than its comma.
        size += current.length
        if (size + current.length > limit) return { size: size + current.length, depth: deepest }
        for (const item of current) stack.push({ value: item, depth: depth + 1 })
      } else {
        for (const key in current) {
          if (!Object.hasOwn(current, key)) continue
          size += key.length + 4
          if (size > limit) break
          stack.push({ value: current[key]!, depth: depth + 1 })
        }
      }
    }
  }
  return { size, depth: deepest }
}

type OpenContainer = { value: Json[] | JsonObject; keys: string[] | null; at: number }

/** The beginning of a value's JSON, of `length` characters where it is so long; nothing more of it is written. */
export function jsonPrefix(value: Json, length: number): string {
  let out = ''
  const open: OpenContainer[] = []
  const write = (one: Json) => {
    if (typeof one === 'string') out += JSON.stringify(one.slice(0, length))
    else if (typeof one !== 'object' || one === null) out += JSON.stringify(one)
    else {
      out += Array.isArray(one) ? '[' : '{'
      open.push({ value: one, keys: Array.isArray(one) ? null : Object.keys(one), at: 0 })
    }
  }
  write(value)
  for (let level = open.at(-1); level !== undefined && out.length < length; level = open.at(-1)) {
    const { value: container, keys } = level
    const at = level.at++
    if (at === (keys ?? (container as Json[])).length) {
      out += keys === null ? ']' : '}'
      open.pop()
      continue
    }
    if (at > 0) out += ','
    if (keys === null) write((container as Json[])[at]!)
    else {
      out += `${JSON.stringify(keys[at]!.slice(0, length))}:`
      write((container as JsonObject)[keys[at]!]!)
    }
  }
  return out.slice(0, length)
}

/** The type's name as schemas and messages call it. */
export function typeName(value: Json): 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'boolean' | 'string' | 'object'
}

/** Text that every reader of JSON and every database takes: no NUL, no half of a surrogate pair. */
export function safeText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}

/** The same for everything in a value. The value itself is left as it is. */
export function safeJson<T>(value: T): T {
  if (typeof value === 'string') return safeText(value) as T
  if (typeof value === 'number') return (Number.isFinite(value) ? value : null) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(safeJson) as T
  // Own properties only, `__proto__` among them: plain objects for whoever compares or clones the result.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [safeText(key), safeJson(item)])) as T
}
