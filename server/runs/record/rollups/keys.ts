import { hash } from 'node:crypto'

/** Returns the key of a roll-up row: a digest, because a template or a definition may be longer than an index allows. */
export function rollupKey(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}

export function endpointKey(method: string, template: string): string {
  return rollupKey(`${method} ${template}`)
}
