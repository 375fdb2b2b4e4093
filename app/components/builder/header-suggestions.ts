export const HEADER_NAMES = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Cache-Control',
  'Content-Type',
  'Cookie',
  'If-None-Match',
  'Origin',
  'Referer',
  'User-Agent',
  'X-Api-Key',
  'X-Request-Id',
]

const TYPES = ['application/json', 'application/xml', 'text/html', 'text/plain', '*/*']

const VALUES: Record<string, string[]> = {
  accept: TYPES,
  'content-type': TYPES.slice(0, -1),
  'cache-control': ['no-cache', 'no-store'],
  'accept-language': ['en', 'de', 'fr', 'es'],
  'accept-encoding': ['gzip', 'br', 'identity'],
}

export function headerValues(name: string): string[] {
  return VALUES[name.trim().toLowerCase()] ?? []
}
