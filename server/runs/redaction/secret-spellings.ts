const MIN_LENGTH = 3

/**
 * Yields the spellings of a secret in URLs, bodies, headers and messages: unchanged, in lower case (host names), URL
 * encoded once and twice, form encoded, escaped for JSON and HTML, in hexadecimal, and in base64 at any offset. A
 * secret under three characters has none. This is a generator because all spellings of a long secret take 15 ms.
 */
export function* spellings(secret: string): Generator<string> {
  if (secret.length < MIN_LENGTH) return
  for (const text of generateSpellings(secret)) if (text.length >= MIN_LENGTH) yield text
}

function* generateSpellings(secret: string): Generator<string> {
  yield secret
  yield secret.toLowerCase()
  const url = encodeURIComponent(secret.toWellFormed())
  yield* inBothCases(url)
  yield* inBothCases(url.replace(/[!'()*~._-]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`))
  yield* inBothCases(new URLSearchParams([['', secret]]).toString().slice(1))
  yield* inBothCases(encodeURI(secret.toWellFormed()))
  yield* inBothCases(encodeURIComponent(url))
  for (const part of urlParts(secret)) yield* inBothCases(part)

  const json = JSON.stringify(secret).slice(1, -1)
  yield json
  yield json.replaceAll('/', '\\/')
  const ascii = escapeNonAscii(json)
  yield ascii
  yield ascii.replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`)
  // A JSON string inside a JSON string.
  yield JSON.stringify(json).slice(1, -1)

  const html = escapeTags(secret)
  yield html
  yield html.replaceAll('"', '&quot;').replaceAll("'", '&#39;')
  yield html.replaceAll('"', '&quot;').replaceAll("'", '&#x27;')

  const hex = Buffer.from(secret).toString('hex')
  yield hex
  yield hex.toUpperCase()
  yield* base64Parts(secret)
}

function* inBothCases(text: string): Generator<string> {
  yield text
  yield text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
}

/** Returns the secret as the URL parser writes it in a path and in a query; omitted if the parser cuts it. */
function urlParts(secret: string): string[] {
  const url = URL.parse(`http://x/-${secret}-?-${secret}-`)
  const query = URL.parse(`http://x/?-${secret}-`)
  return [url?.pathname ?? '', query?.search ?? '']
    .filter((part) => /^.-.*-$/s.test(part))
    .map((part) => part.slice(2, -1))
    .filter((part) => part.length >= secret.length)
}

/**
 * Returns the base64 characters that depend only on the secret, for each of its three offsets in a group of three
 * bytes.
 */
function base64Parts(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor(((before + bytes.length) * 8) / 6)
    const part = text.slice(first, last)
    return [part, part.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

function escapeNonAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function escapeTags(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
