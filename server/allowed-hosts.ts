/** Whether a URL's host is one of the patterns that `schemas/host-patterns.ts` reads; no pattern allows every host. */
export function isHostAllowed(patterns: readonly string[], url: URL): boolean {
  if (patterns.length === 0) return true
  const host = url.hostname.replace(/\.$/, '')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return patterns.some((pattern) => {
    const [, name = '', wantedPort] = /^(.*?)(?::([0-9]+))?$/.exec(pattern) ?? []
    if (wantedPort !== undefined && wantedPort !== port) return false
    return name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length >= name.length : host === name
  })
}

const SHOWN = 5

/** The patterns as the end of a sentence. */
export function describeHosts(patterns: readonly string[]): string {
  const more = patterns.length - SHOWN
  return patterns.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
