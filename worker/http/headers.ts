import { TransportError, type TransportRequest, type TransportResponse } from '#server/lace/transport.ts'
import { isHostOf } from '#server/scripts/target-addresses.ts'

const MAX_SET_COOKIES = 50
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// What a header line may carry as it is: visible ASCII, space, tab, and the upper half of Latin-1.
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

// About the connection rather than the message: the client sets these, whatever a script says.
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * The header lines to send, name and value in turn: the script's own in their order and spelling, with what the
 * connection needs around them. A name or value that cannot stand in a header is a `TransportError`, which names the
 * header and not its value; so is a second Host header, and one that is not the URL's host.
 */
export function buildRequestHeaders({ method, headers, body }: TransportRequest, url: URL): string[] {
  const lines: string[] = []
  let hasHost = false
  for (const [name, value] of headers) {
    if (!TOKEN.test(name)) throw new TransportError('protocol', `${JSON.stringify(name)} is not a header name`)
    if (!FIELD_VALUE.test(value)) {
      throw new TransportError('protocol', `the value of header ${name} has a character that headers cannot carry`)
    }
    const lower = name.toLowerCase()
    if (CONNECTION_HEADERS.has(lower)) continue
    if (lower === 'host') {
      if (hasHost) throw new TransportError('protocol', 'the request has more than one Host header')
      if (!isHostOf(url, value)) throw new TransportError('protocol', 'the Host header is not the host of the URL')
      hasHost = true
    }
    lines.push(name, value)
  }
  if (!hasHost) lines.unshift('Host', url.host)
  if (body !== null || (method !== 'GET' && method !== 'DELETE')) {
    lines.push('Content-Length', String(body?.length ?? 0))
  }
  lines.push('Connection', 'close')
  return lines
}

/** Header lines as received, by lower-cased name; a name sent several times has a list, in the order it came. */
export function parseResponseHeaders(rawHeaders: readonly string[]): TransportResponse['headers'] {
  const headers = new Map<string, string | string[]>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    const value = rawHeaders[i + 1]!
    const before = headers.get(name)
    if (before === undefined) headers.set(name, value)
    else if (typeof before === 'string') headers.set(name, [before, value])
    else before.push(value)
  }
  const cookies = headers.get('set-cookie')
  if (Array.isArray(cookies) && cookies.length > MAX_SET_COOKIES) {
    throw new TransportError('protocol', `the response sets ${cookies.length} cookies, more than ${MAX_SET_COOKIES}`)
  }
  // fromEntries defines own properties, so that a header named __proto__ stays a header.
  return Object.fromEntries(headers)
}
