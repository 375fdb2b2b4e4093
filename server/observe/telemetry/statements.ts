import { sqlErrorOf } from '#db/errors.ts'
import type { Attributes } from '../../process/tracing.ts'

// How a statement is shown in a trace: by its operation and its first table, without values.

const TEXT_MAX = 1_000
/** A long list of columns precedes the table. */
const NAME_WITHIN = 8_000
const NAMES_MAX = 2_000
/** Longer texts rarely repeat. */
const REMEMBERED_TEXT_MAX = 16_000
const names = new Map<string, string>()

/** Returns the name of a statement, such as `SELECT services`. */
export function statementName(text: string): string {
  const known = names.get(text)
  if (known) return known
  const head = text.slice(0, NAME_WITHIN)
  const operation = /[a-z]+/i.exec(head)?.[0].toUpperCase() ?? 'STATEMENT'
  const table = TABLE.exec(outerText(head))?.[1] ?? TABLE.exec(head)?.[1]
  const name = table ? `${operation} ${table}` : operation
  if (text.length > REMEMBERED_TEXT_MAX) return name
  if (names.size >= NAMES_MAX) names.clear()
  names.set(text, name)
  return name
}

const TABLE = /\b(?:from|into|update|table)\s+(?:only\s+)?"?([a-z_][\w.]*)/i

/** The text without bracketed parts, such as subqueries and `extract(epoch from …)`. */
function outerText(text: string): string {
  let depth = 0
  let outer = ''
  for (const piece of text.split(/([()])/)) {
    if (piece === '(') depth++
    else if (piece === ')') depth--
    else if (depth === 0) outer += piece
  }
  return outer
}

/** Returns the attributes of a statement: its text has `?` in place of literals, and its parameters are left out. */
export function statementAttributes(text: string, name: string): Attributes {
  return {
    'db.system.name': 'postgresql',
    'db.query.summary': name,
    'db.query.text': text
      .slice(0, TEXT_MAX)
      .replace(/'(?:[^']|'')*(?:'|$)/g, '?')
      .replace(/(?<![\w$.])\d+(?:\.\d+)?\b/g, '?')
      .replace(/\s+/g, ' ')
      .trim(),
  }
}

/** Returns the SQLSTATE of a failed statement, or the class of the error. */
export function sqlStateOf(error: unknown): string {
  return sqlErrorOf(error).sqlState || (error instanceof Error ? error.name : 'error')
}
