/** A text as a string literal of the script language. */
export function quoted(text: string): string {
  const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
  return `"${text.replace(/["\\$]/g, '\\$&').replace(/[\n\r\t]/g, (char) => escapes[char] as string)}"`
}

/** A script of one call for each of the URLs, each a template: `$s.base` in it is a variable. */
export function probeOf(...urls: string[]): string {
  return urls.map((url) => `get("${url}").expect(status: 200)\n`).join('')
}

export const SCRIPT = probeOf('https://status.example.com/health')

/** Not a word of the language. */
export const BROKEN_SCRIPT = 'fetch("https://status.example.com/")'
