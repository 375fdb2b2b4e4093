/** Returns the id in a text: an id itself, or the link of a result. Null if it has none. */
export function resultIdIn(text: string): string | null {
  return /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\W*$|[?#])/i.exec(text.trim())?.[0]?.toLowerCase() ?? null
}
