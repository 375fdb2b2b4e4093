const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{},:]|[^\s[\]{},:"]+/gs
/** Indentation grows with the depth: without a bound, 200 kB of JSON become a gigabyte. */
export const DEPTH_MAX = 30

/**
 * Writes JSON, or the start of it, with a line per value. Deeper values stay on one line, which `isDeep` says. The values
 * stay as they are written, so that `1.0` is not `1`.
 */
export function indentedJson(json: string): { text: string; isDeep: boolean } {
  const parts: string[] = []
  let depth = 0
  let isDeep = false
  let before = ''
  for (const [token] of json.matchAll(TOKEN)) {
    const isClosing = token === '}' || token === ']'
    const isEmpty = isClosing && (before === '{' || before === '[')
    if (isClosing ? !isEmpty : /^[,{[]$/.test(before)) {
      if (depth <= DEPTH_MAX) parts.push('\n', '  '.repeat(isClosing ? depth - 1 : depth))
      else {
        isDeep = true
        if (before === ',') parts.push(' ')
      }
    }
    parts.push(token === ':' ? ': ' : token)
    if (token === '{' || token === '[') depth++
    if (isClosing) depth--
    before = token
  }
  return { text: parts.join(''), isDeep }
}
