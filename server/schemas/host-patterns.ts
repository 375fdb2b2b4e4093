import { z } from 'zod'

export const ALLOWED_HOSTS_MAX = 20

/** A host name or address, or `*.` and a domain for all its subdomains, optionally with a port. */
const PATTERN = /^(\*\.)?(\[[0-9a-f:.]+\]|[^\s:/?#@\\%*[\]]+)(?::([0-9]{1,5}))?$/i

/**
 * Returns the normalized form of a pattern: lower case, names in ASCII, addresses as in URLs. Null when it is not a
 * pattern.
 */
export function normalizeHostPattern(text: string): string | null {
  const [, wildcard = '', name = '', port] = PATTERN.exec(text.trim()) ?? []
  const host = URL.parse(`http://${name}/`)?.hostname.replace(/\.$/, '') ?? ''
  const isAddress = host.startsWith('[') || /^[0-9.]+$/.test(host)
  if (host === '' || host.split('.').includes('') || (wildcard !== '' && isAddress)) return null
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return null
  return `${wildcard}${host}${port === undefined ? '' : `:${Number(port)}`}`
}

const HostPattern = z
  .string()
  .max(260)
  .refine(
    (text) => normalizeHostPattern(text) !== null,
    'must be a host such as api.example.com, *.example.com or 192.0.2.7:8443',
  )

export const AllowedHosts = z
  .array(HostPattern)
  .max(ALLOWED_HOSTS_MAX)
  .meta({
    description:
      'The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each ' +
      'optionally with a port. Empty for any host. Must be empty unless the type is secret.',
    example: ['api.example.com', '*.example.net:8443'],
  })

/** Returns the normalized patterns without duplicates. */
export function normalizeHosts(patterns: readonly string[]): string[] {
  return [...new Set(patterns.map((text) => normalizeHostPattern(text)).filter((pattern) => pattern !== null))]
}
