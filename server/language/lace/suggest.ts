import { closestMatch } from 'leven'

const MAX_NAME_LENGTH = 64

/** Returns `; did you mean …?` when a candidate is similar to the name, else an empty string. */
export function didYouMean(name: string, candidates: Iterable<string>, prefix = ''): string {
  if (name.length > MAX_NAME_LENGTH) return ''
  const names = [...candidates]
  const sameButCase = names.find((candidate) => candidate.toLowerCase() === name.toLowerCase())
  const match =
    sameButCase ?? closestMatch(name, names, { maxDistance: name.length < 4 ? 1 : 2 }) ?? findContained(name, names)
  return match === undefined || match === name ? '' : `; did you mean \`${prefix}${match}\`?`
}

/** Finds a candidate that contains the name or is contained in it: `dns` for `dnsMs`, `totalDelayMs` for `delay`. */
function findContained(name: string, names: string[]): string | undefined {
  const lower = name.toLowerCase()
  if (lower.length < 3) return undefined
  return names.find(
    (one) => one.length >= 3 && (one.toLowerCase().includes(lower) || lower.includes(one.toLowerCase())),
  )
}

/** Returns a name in backquotes for a message, truncated when it is very long. */
export function quote(name: string): string {
  return `\`${name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name}\``
}
