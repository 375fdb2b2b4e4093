const SHORTEST = 3

/**
 * The ways in which a secret shows up in URLs, bodies, headers and messages: as it is, in lower case (host names), coded
 * for URLs (once and twice) and forms, escaped for JSON and HTML, in hexadecimal, and inside base64 whatever stands
 * before it. Empty for a secret under three characters.
 */
export function spellings(secret: string): string[] {
  if (secret.length < SHORTEST) return []
  const url = encodeURIComponent(secret.toWellFormed())
  const strict = url.replace(/[!'()*~._-]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  const json = JSON.stringify(secret).slice(1, -1)
  const hex = Buffer.from(secret).toString('hex')
  const coded = [url, strict, form, encodeURI(secret.toWellFormed()), encodeURIComponent(url), ...urlParts(secret)]
  return [
    secret,
    secret.toLowerCase(),
    ...coded,
    ...coded.map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    json,
    json.replaceAll('/', '\\/'),
    escapeNonAscii(json),
    escapeNonAscii(json).replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`),
    // An escaped text inside another JSON text.
    JSON.stringify(json).slice(1, -1),
    escapeTags(secret),
    escapeTags(secret).replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    escapeTags(secret).replaceAll('"', '&quot;').replaceAll("'", '&#x27;'),
    hex,
    hex.toUpperCase(),
    ...base64Parts(secret),
  ].filter((text) => text.length >= SHORTEST)
}

/** What the URL parser makes of it where a script puts it into a path or a query as it is; nothing where it cuts it. */
function urlParts(secret: string): string[] {
  const url = URL.parse(`http://x/-${secret}-?-${secret}-`)
  const query = URL.parse(`http://x/?-${secret}-`)
  return [url?.pathname ?? '', query?.search ?? '']
    .filter((part) => /^.-.*-$/s.test(part))
    .map((part) => part.slice(2, -1))
    .filter((part) => part.length >= secret.length)
}

/** The characters that the secret alone decides, for each of the three places it may have in a group of three bytes. */
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
