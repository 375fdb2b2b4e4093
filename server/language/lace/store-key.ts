/** The target of a `.store()` key: `$$name` is a run variable, any other key writes back to a script variable. */
export type StoreTarget =
  | { kind: 'run'; name: string }
  | {
      kind: 'writeback'
      name: string /** Set when the key names a scope that is not writable. */
      foreignScope: string | null
    }

/**
 * Parses a key of `.store()`. With scopes (outermost first), write-backs go to the innermost: with `o, w, p, s`, the
 * keys `count`, `$count` and `$s.count` mean the same, and `$w.count` is foreign.
 */
export function readStoreKey(key: string, scopes: Iterable<string> = []): StoreTarget {
  if (key.startsWith('$$')) return { kind: 'run', name: key.slice(2) }
  const known = [...scopes]
  const scoped = /^\$([A-Za-z_][A-Za-z0-9_]*)\.(.+)$/s.exec(key)
  if (scoped && known.includes(scoped[1]!)) {
    const innermost = scoped[1] === known.at(-1)
    return { kind: 'writeback', name: scoped[2]!, foreignScope: innermost ? null : scoped[1]! }
  }
  return { kind: 'writeback', name: key.startsWith('$') ? key.slice(1) : key, foreignScope: null }
}
