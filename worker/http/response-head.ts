import { invalidResponse } from './failures.ts'

const STATUS_LINE = /^HTTP\/(?:0\.9|1\.[01]|2\.0) (\d{3})(?: ([\t\x20-\x7e\x80-\xff]*))?$/
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// Visible ASCII, space, tab, and the upper half of Latin-1.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Parses the first line of a response. @throws TransportError */
export function parseStatusLine(line: string): { status: number; statusText: string } {
  const [, status, statusText = ''] = STATUS_LINE.exec(line) ?? []
  if (status === undefined) throw invalidResponse('Invalid status line')
  return { status: Number(status), statusText }
}

/**
 * Parses the header lines from `start` to the end of a text. Returns names and values in turn, as Node does; values in
 * Latin-1.
 *
 * @throws TransportError
 */
export function parseFieldLines(text: string, start: number): string[] {
  const fields: string[] = []
  for (let at = start; at < text.length; ) {
    const lineEnd = text.indexOf('\r\n', at)
    const end = lineEnd < 0 ? text.length : lineEnd
    const colon = text.indexOf(':', at)
    if (colon < 0 || colon >= end) throw invalidResponse('Invalid header token')
    const name = text.slice(at, colon)
    // A line that continues the one before it begins with white space, which no name has.
    if (!NAME.test(name)) throw invalidResponse('Invalid header token')
    const value = trimField(text, colon + 1, end)
    if (!VALUE.test(value)) throw invalidResponse('Invalid header value char')
    fields.push(name, value)
    at = end + 2
  }
  return fields
}

/** Returns a part of a text without spaces and tabs at both ends. A regular expression could take quadratic time. */
function trimField(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9
}
