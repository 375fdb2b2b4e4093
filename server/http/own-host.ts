import type { IncomingMessage } from 'node:http'
import type { Settings } from '../process/settings.ts'

// Against DNS rebinding: when an attacker's host name resolves to this machine, a browser treats the attacker's page and
// ours as one site. When `BASE_URL` is set, the dashboard serves only that host.

type Named = Pick<Settings, 'BASE_URL'>

/** For people who used the wrong address. It does not name the right one, because anyone can read it. */
export const WRONG_HOST =
  'The dashboard is available only at the address in its setting BASE_URL. A proxy in front of it must forward the Host header.'

/** Returns whether a `Host` header is that of `BASE_URL`; true for any host when `BASE_URL` is not set. */
export function isOwnHost(requested: string | null | undefined, { BASE_URL }: Named): boolean {
  if (BASE_URL === undefined) return true
  const { protocol, host, hostname, port } = new URL(BASE_URL)
  const withPort = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  return [host, withPort].includes(requested?.toLowerCase() ?? '')
}

/** Returns whether the request has exactly one host. Of two, a proxy could check one and this server the other. */
export function hasOneHost(incoming: IncomingMessage): boolean {
  const hosts = incoming.rawHeaders.filter((text, index) => index % 2 === 0 && /^host$/i.test(text)).length
  return hosts === 1 || (hosts === 0 && incoming.httpVersion === '1.0')
}

/** Returns the header that makes browsers use https only, when `BASE_URL` is https. */
export function transportSecurity({ BASE_URL }: Named): Record<string, string> {
  return BASE_URL?.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}
}

/**
 * Returns the address at which the caller reaches this server, without a slash at the end: `BASE_URL`, else the host of
 * the request. Behind a proxy that ends TLS, links are right only with `BASE_URL`.
 */
export function originOf(host: string | null | undefined, { BASE_URL }: Named): string {
  if (BASE_URL !== undefined) return BASE_URL
  // Any client can send any text as its host.
  return `http://${host && /^[a-z0-9.:[\]_-]{1,255}$/i.test(host) ? host : 'localhost'}`
}
