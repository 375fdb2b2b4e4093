import type { IncomingMessage } from 'node:http'
import type { Settings } from '../process/settings.ts'

// A name of a stranger's may lead to this machine (DNS rebinding), and makes a browser take the stranger's page and ours
// for one site. Where `BASE_URL` says what we are called, the dashboard answers to nothing else.

type Named = Pick<Settings, 'BASE_URL'>

/** Said to people, who may have come by the wrong address. It does not say the right one: a stranger may read it. */
export const WRONG_HOST =
  'The dashboard is reached by the address in its setting BASE_URL alone. A proxy in front of it has to pass the Host header on.'

/** Whether a request for this `Host` is meant for us; any is where `BASE_URL` is not set. */
export function isOwnHost(given: string | null | undefined, { BASE_URL }: Named): boolean {
  if (BASE_URL === undefined) return true
  const { protocol, host, hostname, port } = new URL(BASE_URL)
  const withPort = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  return [host, withPort].includes(given?.toLowerCase() ?? '')
}

/** HTTP knows one host: of two, a proxy may judge the one and this server the other. */
export function hasOneHost(incoming: IncomingMessage): boolean {
  const hosts = incoming.rawHeaders.filter((text, index) => index % 2 === 0 && /^host$/i.test(text)).length
  return hosts === 1 || (hosts === 0 && incoming.httpVersion === '1.0')
}

/** Tells browsers to come by https alone, where that is how they reach us. */
export function transportSecurity({ BASE_URL }: Named): Record<string, string> {
  return BASE_URL?.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}
}
