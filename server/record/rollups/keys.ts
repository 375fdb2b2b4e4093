import { hash } from 'node:crypto'

/** Digests of a process's scripts, which are the same for each of their runs: a digest takes ten times as long. */
const known = new Map<string, string>()
/** Both together limit the memory to a few megabytes. */
const KNOWN_MAX = 2_000
const TEXT_MAX = 512

/** Returns the key of a roll-up row: a digest, because a template or a definition may be longer than an index allows. */
export function rollupKey(text: string): string {
  const found = known.get(text)
  if (found !== undefined) return found
  const key = hash('sha256', text, 'base64url').slice(0, 22)
  if (text.length <= TEXT_MAX) {
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(text, key)
  }
  return key
}

export function endpointKey(method: string, template: string): string {
  return rollupKey(`${method} ${template}`)
}
