// A set of secrets is a bit mask over their indexes in an array: a script of two thousand calls is checked against
// hundreds of secrets with twenty hosts each.

/** One bit for each secret of an array. */
export type SecretMask = bigint

/**
 * Returns a predicate: which of the secrets may not be sent to a URL's host. Patterns have the normalized form of
 * `schemas/host-patterns.ts`; a secret without patterns may be sent anywhere.
 */
export function createHostIndex(secrets: readonly { allowedHosts: readonly string[] }[]): (url: URL) => SecretMask {
  const byPattern = new Map<string, SecretMask>()
  let restricted = 0n
  for (const [index, { allowedHosts }] of secrets.entries()) {
    const bit = 1n << BigInt(index)
    if (allowedHosts.length > 0) restricted |= bit
    for (const pattern of allowedHosts) byPattern.set(pattern, (byPattern.get(pattern) ?? 0n) | bit)
  }
  return (url) => {
    let allowed = 0n
    for (const pattern of patternsOf(url)) allowed |= byPattern.get(pattern) ?? 0n
    return restricted & ~allowed
  }
}

/** Returns the first secret in the mask, null for an empty mask. */
export function firstSecret<T>(mask: SecretMask, secrets: readonly T[]): T | null {
  if (mask === 0n) return null
  // The lowest set bit in hexadecimal gives its index without a shift per secret.
  const [lead = '', ...zeros] = (mask & -mask).toString(16)
  return secrets[zeros.length * 4 + Math.log2(Number(`0x${lead}`))] ?? null
}

/** Every pattern that matches the host of a URL. */
function patternsOf(url: URL): string[] {
  const host = url.hostname.replace(/\.$/, '')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const labels = host.split('.')
  const names = [host, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)]
  return names.flatMap((name) => [name, `${name}:${port}`])
}

const SHOWN_MAX = 5

/** Returns why a secret may not be sent to a host. Names the first of its patterns. */
export function describeRefusedSecret(secret: { name: string; allowedHosts: readonly string[] }, host: string): string {
  const shown = secret.allowedHosts.slice(0, SHOWN_MAX).join(', ')
  const more = secret.allowedHosts.length - SHOWN_MAX
  return `the secret $${secret.name} may be sent to ${shown}${more > 0 ? ` and ${more} more` : ''} only, not to ${host}`
}
