import { type Octets, V4, V6 } from './addresses.ts'
import { ENCODINGS } from './encodings.ts'

/** A URL that must be blocked before it is resolved. */
export type Payload = { class: string; url: string }

/**
 * Returns more than a thousand URLs in 37 classes that must be blocked: special IPv4 addresses in every spelling that
 * some URL parser accepts, special IPv6 ranges, internal names, unusual schemes and confusing authorities.
 *
 * `port` is the port of the canaries, so that a URL that is not blocked is noticed.
 */
export function blockedPayloads(port: number): Payload[] {
  const payloads: Payload[] = []
  const add = (kind: string, urls: string[]) => {
    for (const url of urls) payloads.push({ class: kind, url })
  }
  for (const [kind, encode] of Object.entries(ENCODINGS)) {
    add(
      kind,
      V4.map((ip) => encode(ip.split('.').map(Number) as Octets, port)),
    )
  }
  add(
    'ipv6',
    V6.map((ip) => `http://[${ip}]:${port}/`),
  )
  add(
    'ipv6 over https',
    V6.map((ip) => `https://[${ip.toUpperCase()}]:${port}/`),
  )
  add(
    'name',
    INTERNAL_NAMES.flatMap((name) => [`http://${name}:${port}/`, `https://${name}.:${port}/latest`]),
  )
  add(
    'scheme',
    SCHEMES.map((scheme) => scheme.replace('PORT', String(port))),
  )
  add(
    'port',
    BLOCKED_PORTS.map((bad) => `http://status.example.com:${bad}/`),
  )
  return payloads
}

const INTERNAL_NAMES = [
  'localhost',
  'LOCALHOST',
  'ｌｏｃａｌｈｏｓｔ',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'app.localhost',
  'localhost.localdomain',
  'intranet',
  'db',
  'redis',
  'kubernetes',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  'metadata',
  'metadata.google.internal',
  'instance-data.ec2.internal',
  'host.docker.internal',
  'gateway.docker.internal',
  'printer.local',
  'router.lan',
  'nas.home',
  'nas.home.arpa',
  'wiki.corp',
  'vault.private',
  'portal.intranet',
  'a..example.com',
  '.example.com',
]

const SCHEMES = [
  'file:///etc/passwd',
  'file://localhost/etc/passwd',
  'gopher://127.0.0.1:PORT/_GET%20/',
  'dict://127.0.0.1:PORT/stats',
  'ftp://127.0.0.1:PORT/',
  'ftp://files.example.com/',
  'ws://status.example.com/',
  'wss://status.example.com/',
  'ldap://127.0.0.1:PORT/',
  'tftp://127.0.0.1:PORT/x',
  'jar:http://127.0.0.1:PORT!/',
  'netdoc:///etc/passwd',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'blob:http://127.0.0.1:PORT/1',
  'unix:/var/run/docker.sock',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/info',
  'view-source:http://127.0.0.1:PORT/',
  'about:blank',
  'httpx://127.0.0.1:PORT/',
  '//127.0.0.1:PORT/',
  '/relative',
  '127.0.0.1:PORT',
  'localhost:PORT/x',
  '',
  'http://',
  'http:///',
  'http://[::1',
  'http://[fe80::1%25eth0]:PORT/',
  'http://127.0.0.1:PORTPORTPORT/',
  'http://256.0.0.1:PORT/',
  'http://1.2.3.4.5:PORT/',
  'http://0x100000000:PORT/',
  'http://user@status.example.com/',
  'http://user:pass@status.example.com/',
]

const BLOCKED_PORTS = [1, 7, 21, 22, 23, 25, 53, 110, 139, 143, 389, 465, 587, 636, 993, 2049, 6000, 6667, 10080]
