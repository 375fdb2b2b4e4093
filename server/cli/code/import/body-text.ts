import { contains } from './conditions.ts'

// What other programs look for in the body as it was sent. The language searches a body that is declared as JSON as it is
// written anew: without white space between values, and with one way of escapes and numbers.

/** Texts with none of these are in both forms of a body, or in neither. */
const CHANGED = /["\\{}[\]:,/]|\s|[^\x20-\x7e]|\d\.\d/

/** Returns whether a body that is JSON could be searched with another result than the program has. */
export function isFoundOtherwise(text: string): boolean {
  return CHANGED.test(text.replaceAll(/(?<=[A-Za-z]) (?=[A-Za-z])/g, ''))
}

/** The body contains the text, as it is or in JSON that is written anew. */
export function bodyContains(text: string): string {
  const forms = new Set([text, writtenAnew(text, false), writtenAnew(text, true)])
  const parts = [...forms].map((form) => contains(form))
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' or ')})`
}

/** A fragment of JSON can begin inside or outside of a string, and does not show which. */
function writtenAnew(text: string, startsInString: boolean): string {
  let isInString = startsInString
  const pieces = text.match(/(?:[^"\\]|\\[\s\S])+|["\\]/g) ?? []
  return pieces
    .map((piece) => {
      if (piece !== '"') return isInString ? inString(piece) : betweenStrings(piece)
      isInString = !isInString
      return piece
    })
    .join('')
}

function inString(text: string): string {
  try {
    return JSON.stringify(JSON.parse(`"${text}"`)).slice(1, -1)
  } catch {
    return text
  }
}

function betweenStrings(text: string): string {
  return text.replaceAll(/\s+/g, '').replaceAll(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (number) => String(Number(number)))
}
