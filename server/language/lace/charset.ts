/** Bytes at the start of a document in which its charset is looked for (HTML standard, "prescan"). */
const PRESCAN_BYTES = 1_024

/**
 * Decodes a text body without its byte order mark. The first of these decides the charset: a byte order mark, the content
 * type, and what the document itself declares; else it is UTF-8. Bytes that are not valid become replacement characters.
 */
export function decodeText(body: Uint8Array, contentType: string): string {
  return new TextDecoder(charsetOf(body, contentType) ?? 'utf-8').decode(body)
}

/**
 * Returns the charset of a text body as a label that `TextDecoder` knows; null when the content type names an unknown one
 * and the document declares none.
 */
export function charsetOf(body: Uint8Array, contentType: string): string | null {
  const marked = markedCharset(body)
  if (marked !== null) return marked
  const label = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]
  const declared = knownCharset(label)
  if (declared !== null) return declared
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isHtml = type === '' || type === 'text/html' || type === 'application/xhtml+xml'
  const isXml = type === '' || /[/+]xml$/.test(type)
  const start = new TextDecoder('latin1').decode(body.subarray(0, PRESCAN_BYTES))
  const found = (isXml ? xmlCharset(start) : null) ?? (isHtml ? metaCharset(start) : null)
  // A declaration that was read as ASCII cannot be UTF-16.
  if (found !== null) return found.startsWith('utf-16') ? 'utf-8' : found
  return label === undefined ? 'utf-8' : null
}

function markedCharset([a, b, c]: Uint8Array): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0xff && b === 0xfe ? 'utf-16le' : null
}

function xmlCharset(start: string): string | null {
  return knownCharset(/^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(start)?.[1])
}

/** Reads `<meta charset="…">` and `<meta http-equiv="Content-Type" content="…; charset=…">`, outside of comments. */
function metaCharset(start: string): string | null {
  const tags = start.replace(/<!--[\s\S]*?(?:-->|$)/g, '').matchAll(/<meta[\s/](?:"[^"]*"|'[^']*'|[^"'>])*>/gi)
  for (const [tag] of tags) {
    const attributes = new Map<string, string>()
    for (const [, name = '', a, b, c] of tag
      .slice(5)
      .matchAll(/([^\s"'=/>]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g)) {
      attributes.set(name.toLowerCase(), a ?? b ?? c ?? '')
    }
    const isType = attributes.get('http-equiv')?.toLowerCase() === 'content-type'
    const ofType = isType ? /charset\s*=\s*["']?([^\s"';]+)/i.exec(attributes.get('content') ?? '')?.[1] : undefined
    const charset = knownCharset(attributes.get('charset') ?? ofType)
    if (charset !== null) return charset
  }
  return null
}

/** Returns the name of a charset; null for an unknown one. */
function knownCharset(label: string | undefined): string | null {
  try {
    return label === undefined ? null : new TextDecoder(label).encoding
  } catch {
    return null
  }
}
