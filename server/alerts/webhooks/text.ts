/** Returns the text with at most `max` UTF-16 units, ended by an ellipsis where it is cut, and no half character. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Returns the text on one line, without control characters. */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

/**
 * Escapes the text character by character, and clips it where the escaped text would be longer than `max` UTF-16 units,
 * so that no escape is cut.
 */
export function clipEscaped(text: string, max: number, escapeOf: (character: string) => string): string {
  let escaped = ''
  let clipped = ''
  for (const character of text) {
    const next = escapeOf(character)
    if (escaped.length + next.length > max) return `${clipped}…`
    escaped += next
    // There is still room for the ellipsis.
    if (escaped.length < max) clipped = escaped
  }
  return escaped
}
