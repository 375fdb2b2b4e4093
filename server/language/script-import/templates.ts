// Texts of other programs with placeholders for variables. They stay unchanged until a script is written, so that no
// character of a text can be taken for our mark.

/** A part of a text: characters, or a variable such as `p.token` with the text that stood for it. */
export type Part = string | { variable: string; source: string }

/** Splits a text into its parts; no part is empty. */
export type Split = (text: string) => Part[]

/**
 * `variableOf` returns null when a match is not a variable, and `{ text }` for a literal. `pattern` has the flag `g`.
 */
export function splitBy(
  pattern: RegExp,
  variableOf: (match: RegExpExecArray) => string | { text: string } | null,
): Split {
  return (text) => {
    const parts: Part[] = []
    let end = 0
    for (const match of text.matchAll(pattern)) {
      const variable = variableOf(match)
      if (variable === null) continue
      if (match.index > end) parts.push(text.slice(end, match.index))
      parts.push(typeof variable === 'string' ? { variable, source: match[0] } : variable.text)
      end = match.index + match[0].length
    }
    if (end < text.length) parts.push(text.slice(end))
    return parts
  }
}

/** Of a format that has no variables. */
export function splitNothing(text: string): Part[] {
  return text === '' ? [] : [text]
}

export function hasVariable(split: Split, text: string): boolean {
  return split(text).some((part) => typeof part !== 'string')
}

export function startsWithVariable(split: Split, text: string): boolean {
  return typeof split(text)[0] === 'object'
}

/** Returns the text without its marks; null when it has a variable. */
export function plainText(split: Split, text: string): string | null {
  const parts = split(text)
  return parts.every((part) => typeof part === 'string') ? parts.join('') : null
}
