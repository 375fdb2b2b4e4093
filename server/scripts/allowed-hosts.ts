// Secrets are counted by their place in a list, and a set of them is a mask of as many bits: a script of two thousand
// calls is held against hundreds of secrets, each with twenty hosts.

/** A bit for each secret of a list. */
export type SecretMask = bigint

/**
 * Says which secrets of the list may not be sent to a URL's host. Their patterns are those that
 * `schemas/host-patterns.ts` reads; one without patterns may go anywhere.
 */
export function createHostIndex(secrets: readonly { allowedHosts: readonly string[] }[]): (url: URL) => SecretMask {
  const byPattern = new Map<string, SecretMask>()
  let bound = 0n
  for (const [index, { allowedHosts }] of secrets.entries()) {
    const bit = 1n << BigInt(index)
    if (allowedHosts.length > 0) bound |= bit
    for (const pattern of allowedHosts) byPattern.set(pattern, (byPattern.get(pattern) ?? 0n) | bit)
  }
  return (url) => {
    let allowed = 0n
    for (const pattern of patternsOf(url)) allowed |= byPattern.get(pattern) ?? 0n
    return bound & ~allowed
  }
}

/** The first secret of the list that the mask has; null for an empty one. */
export function firstSecret<T>(mask: SecretMask, secrets: readonly T[]): T | null {
  if (mask === 0n) return null
  // The lowest bit alone, in hexadecimal: its place without a shift for each secret.
  const [lead = '', ...zeros] = (mask & -mask).toString(16)
  return secrets[zeros.length * 4 + Math.log2(Number(`0x${lead}`))] ?? null
}

/** Every pattern that stands for the host of a URL. */
function patternsOf(url: URL): string[] {
  const host = url.hostname.replace(/\.$/, '')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const labels = host.split('.')
  const names = [host, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)]
  return names.flatMap((name) => [name, `${name}:${port}`])
}

const SHOWN_MAX = 5

/** The patterns as the end of a sentence. */
export function describeHosts(patterns: readonly string[]): string {
  const more = patterns.length - SHOWN_MAX
  return patterns.slice(0, SHOWN_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
