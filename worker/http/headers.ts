import { TransportError, type TransportRequest, type TransportResponse } from '#server/language/lace/transport.ts'
import { setOwn } from '#server/language/lace/values/json.ts'
import { isHostOf } from '#server/scripts/target-addresses.ts'

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// Characters that are valid in a header value: visible ASCII, space, tab, and the upper half of Latin-1.
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

// Headers about the connection. The client sets them itself and ignores the script's.
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
 * Returns the header lines to send, alternating name and value: the script's headers in their order and case, and those
 * that the connection needs.
 *
 * @throws TransportError when a name or value is not valid (the message never contains the value), or when a Host
 *   header is repeated or differs from the URL's host
 */
export function buildRequestHeaders({ method, headers, body }: TransportRequest, url: URL): string[] {
  const lines: string[] = []
  let hasHost = false
  for (const [name, value] of headers) {
    if (!TOKEN.test(name)) throw new TransportError('protocol', `${JSON.stringify(name)} is not a header name`)
    if (!FIELD_VALUE.test(value)) {
      throw new TransportError(
        'protocol',
        `the value of header ${name} contains a character that is not allowed in headers`,
      )
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

/** Returns received headers by lower-case name. A repeated name has an array of values in their order. */
export function parseResponseHeaders(rawHeaders: readonly string[]): TransportResponse['headers'] {
  const headers: TransportResponse['headers'] = {}
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    const value = rawHeaders[i + 1]!
    const previous = Object.hasOwn(headers, name) ? headers[name] : undefined
    if (previous === undefined) setOwn(headers, name, value)
    else if (typeof previous === 'string') setOwn(headers, name, [previous, value])
    else previous.push(value)
  }
  return headers
}
