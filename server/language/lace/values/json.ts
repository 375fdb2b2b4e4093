/** A value of the language: any JSON value. Numbers are finite. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type JsonObject = { [key: string]: Json }

/**
 * The result of an ordered comparison or arithmetic with null: neither true nor false. It is a state of conditions, not
 * a value; as a value it is null.
 */
export const INDETERMINATE = Symbol('indeterminate')
export type Indeterminate = typeof INDETERMINATE

export function nullIfIndeterminate(value: Json | Indeterminate): Json {
  return value === INDETERMINATE ? null : value
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an object without prototype, in which `__proto__` is an ordinary key. */
export function emptyObject(): JsonObject {
  return Object.create(null)
}

export type JsonMeasure = { size: number; depth: number }

/**
 * Estimates the length of a value's JSON, in characters, and its depth. Values may share parts, so the JSON may be much
 * larger than the memory they take; counting stops past `limit`. Does not recurse.
 */
export function measureJson(value: Json, limit: number): JsonMeasure {
  if (!isContainer(value)) return { size: scalarSize(value), depth: 0 }
  let size = 0
  let maxDepth = 0
  let container = value
  let depth = 1
  // Containers in containers. Most values have none.
  let nested: { container: Json[] | JsonObject; depth: number }[] | null = null
  for (;;) {
    size += 2
    if (depth > maxDepth) maxDepth = depth
    if (Array.isArray(container)) {
      // Each item takes at least one character besides its comma.
      size += container.length
      if (size + container.length > limit) return { size: size + container.length, depth: maxDepth }
      for (const item of container) {
        if (!isContainer(item)) {
          size += scalarSize(item)
          continue
        }
        nested ??= []
        nested.push({ container: item, depth: depth + 1 })
      }
    } else {
      // With `for in`, V8 compiles this function for one name, and discards it at the next, in each run again.
      for (const key of Object.keys(container)) {
        size += key.length + 4
        if (size > limit) break
        const item = container[key]!
        if (!isContainer(item)) {
          size += scalarSize(item)
          continue
        }
        nested ??= []
        nested.push({ container: item, depth: depth + 1 })
      }
    }
    const next = size > limit ? undefined : nested?.pop()
    if (next === undefined) return { size, depth: maxDepth }
    ;({ container, depth } = next)
  }
}

function isContainer(value: Json): value is Json[] | JsonObject {
  return typeof value === 'object' && value !== null
}

function scalarSize(value: Json): number {
  return typeof value === 'string' ? value.length + 2 : 5
}

type OpenContainer = { value: Json[] | JsonObject; keys: string[] | null; at: number }

/** Returns the first `length` characters of a value's JSON without serializing the rest. Does not recurse. */
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

/** Returns the name of a value's type as JSON Schema spells it. */
export function typeName(value: Json): 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'boolean' | 'string' | 'object'
}

/** Replaces NUL characters and halves of surrogate pairs, which databases and some JSON parsers reject. */
export function safeText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed()
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed
}

/** Does the same for all strings and keys of a value, on a copy. */
export function safeJson<T>(value: T): T {
  if (typeof value === 'string') return safeText(value) as T
  if (typeof value === 'number') return (Number.isFinite(value) ? value : null) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(safeJson) as T
  // The objects are plain, so callers can compare and clone them.
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    setOwn(copy, safeText(key), safeJson((value as Record<string, unknown>)[key]))
  }
  return copy as T
}

/** Sets an own property, also for `__proto__`: an assignment to that name would set the prototype. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else target[key] = value
}

/** Returns the first `length` characters of a string, or one less where the cut would split a surrogate pair. */
export function textPrefix(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length)
}

/** Shortens a string to `length` characters and an ellipsis. */
export function shortenText(text: string, length: number): string {
  return text.length > length ? `${textPrefix(text, length)}…` : text
}
