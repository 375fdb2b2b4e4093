import { ApiError } from '../errors.ts'

/** A value that the database or a recursive function could not handle. */
export type Unstorable = { path: string[]; reason: string }

/** Deeper than any valid input, and far from a stack overflow. */
const INPUT_DEPTH_MAX = 64

/**
 * Returns the first value in parsed JSON that cannot be stored, or null: a string or name with a NUL (which Postgres refuses) or
 * half a surrogate pair (which would be stored as another character), or nesting past `depthMax` levels.
 */
export function findUnstorable(value: unknown, depthMax = INPUT_DEPTH_MAX, path: string[] = []): Unstorable | null {
  if (typeof value === 'string') {
    const reason = unstorableText(value)
    return reason === null ? null : { path, reason }
  }
  if (typeof value !== 'object' || value === null) return null
  if (path.length >= depthMax) return { path: path.slice(0, 1), reason: 'is nested too deeply' }
  for (const [key, inner] of Object.entries(value)) {
    const reason = unstorableText(key)
    if (reason) return { path: path.slice(0, 1), reason: `has a name that ${reason}` }
    path.push(key)
    const found = findUnstorable(inner, depthMax, path)
    if (found) return found
    path.pop()
  }
  return null
}

/** @throws ApiError `invalid_request_body` that names the first value in parsed JSON that cannot be stored */
export function requireStorable(value: unknown, depthMax?: number): void {
  const found = findUnstorable(value, depthMax)
  if (found) throw new ApiError('invalid_request_body', { field: found.path.join('.'), reason: found.reason })
}

/** Returns the reason why a string cannot be stored, or null. */
export function unstorableText(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain the character U+0000'
  if (!text.isWellFormed()) return 'must be well-formed Unicode'
  return null
}
