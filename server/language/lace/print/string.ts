const ESCAPES: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }

/** Prints a string as a literal of the language. */
export function printString(text: string): string {
  return `"${text.replace(/["\\\n\t\r]/g, (char) => ESCAPES[char]!)}"`
}
