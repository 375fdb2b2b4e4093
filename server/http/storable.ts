/** What a database text or a recursive reader could not take. */
export type Unstorable = { path: PropertyKey[]; reason: string }

/** Deeper than any input of ours is, and far from what overflows a stack. */
const MAX_DEPTH = 64

/**
 * The first thing in parsed JSON that must go no further: a NUL or half a surrogate pair in a text (Postgres refuses the
 * one, and the other would be stored as something else), or nesting past 64 levels. Null when there is none.
 */
export function findUnstorable(value: unknown): Unstorable | null {
  const waiting: PathNode[] = [{ value, key: '', depth: 0, parent: null }]
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { value, depth } = place
    if (typeof value === 'string') {
      const reason = unstorableText(value)
      if (reason) return { path: pathOf(place), reason }
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= MAX_DEPTH) return { path: pathOf(place).slice(0, 1), reason: 'is nested too deeply' }
      for (const [key, inner] of Object.entries(value)) {
        if (typeof inner === 'string' || (typeof inner === 'object' && inner !== null)) {
          waiting.push({ value: inner, key, depth: depth + 1, parent: place })
        }
      }
    }
  }
  return null
}

/** A value with the way to it, which is put together for an error alone. */
type PathNode = { value: unknown; key: string; depth: number; parent: PathNode | null }

function pathOf(place: PathNode): string[] {
  const path: string[] = []
  for (let at = place; at.parent; at = at.parent) path.unshift(at.key)
  return path
}

/** Why a text cannot be stored, or null. */
export function unstorableText(text: string): string | null {
  if (text.includes('\u0000')) return 'must not hold the character U+0000'
  if (!text.isWellFormed()) return 'must be well-formed Unicode'
  return null
}
