/** Returns a string literal of the script language. */
export function quoted(text: string): string {
  const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
  return `"${text.replace(/["\\$]/g, '\\$&').replace(/[\n\r\t]/g, (char) => escapes[char] as string)}"`
}

/** Returns a script with one call per URL. URLs are templates: `$s.base` is a variable. */
export function probeOf(...urls: string[]): string {
  return urls.map((url) => `get("${url}").expect(status: 200)\n`).join('')
}

export const SCRIPT = probeOf('https://status.example.com/health')

/** A script with a syntax error. */
export const BROKEN_SCRIPT = 'fetch("https://status.example.com/")'
