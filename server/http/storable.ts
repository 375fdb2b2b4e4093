/** A value that the database or a recursive function could not handle. */
export type Unstorable = { path: PropertyKey[]; reason: string }

/** Deeper than any valid input, and far from a stack overflow. */
const INPUT_DEPTH_MAX = 64

/**
 * Returns the first value in parsed JSON that cannot be stored, or null: a string or name with a NUL (which Postgres refuses) or
 * half a surrogate pair (which would be stored as another character), or nesting past `depthMax` levels.
 */
export function findUnstorable(value: unknown, depthMax = INPUT_DEPTH_MAX): Unstorable | null {
  const waiting: PathNode[] = [{ value, key: '', depth: 0, parent: null }]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { value, depth } = node
    if (typeof value === 'string') {
      const reason = unstorableText(value)
      if (reason) return { path: pathOf(node), reason }
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= depthMax) return { path: pathOf(node).slice(0, 1), reason: 'is nested too deeply' }
      for (const [key, inner] of Object.entries(value)) {
        const reason = unstorableText(key)
        if (reason) return { path: pathOf(node).slice(0, 1), reason: `has a name that ${reason}` }
        if (typeof inner === 'string' || (typeof inner === 'object' && inner !== null)) {
          waiting.push({ value: inner, key, depth: depth + 1, parent: node })
        }
      }
    }
  }
  return null
}

/** A value and its parents. The path is built only for an error. */
type PathNode = { value: unknown; key: string; depth: number; parent: PathNode | null }

function pathOf(node: PathNode): string[] {
  const path: string[] = []
  for (let at = node; at.parent; at = at.parent) path.unshift(at.key)
  return path
}

/** Returns the reason why a string cannot be stored, or null. */
export function unstorableText(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain the character U+0000'
  if (!text.isWellFormed()) return 'must be well-formed Unicode'
  return null
}
