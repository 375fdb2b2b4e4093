import { type Finding, MAX_FINDINGS } from './errors.ts'

export type TokenKind = 'ident' | 'script' | 'run' | 'string' | 'int' | 'float' | 'punct' | 'end'

/** `value` is the name without `$` or `$$`, the decoded string, or the characters as written. */
export type Token = { kind: TokenKind; value: string; offset: number; end: number }

const IDENT = /[A-Za-z_][A-Za-z0-9_]*/y
const NUMBER = /([0-9]+)(\.[0-9]+)?/y
const SKIPPED = /(?:[ \t\r\n]+|\/\/[^\n]*)+/y
const STRING_PLAIN = /[^"\\]+/y
const UNEXPECTED = /[^\sA-Za-z0-9_"$(){}[\],:.+\-*/%]+/y
const LONE_SURROGATE = /\p{Surrogate}/u
const PUNCTUATION = new Set('(){}[],:.+-*/%')
const ESCAPES: Record<string, string> = { '"': '"', '\\': '\\', n: '\n', t: '\t', r: '\r', $: '$' }

/** Operators of other languages, and how this language writes them. */
const HINTS: Record<string, string> = {
  '=': 'comparisons are written `eq`, fields with `:`',
  '==': 'comparisons are written `eq`',
  '===': 'comparisons are written `eq`',
  '!=': 'comparisons are written `neq`',
  '!==': 'comparisons are written `neq`',
  '<': 'comparisons are written `lt`',
  '<=': 'comparisons are written `lte`',
  '>': 'comparisons are written `gt`',
  '>=': 'comparisons are written `gte`',
  '&&': 'write `and`',
  '||': 'write `or`',
  '!': 'write `not`',
  "'": 'strings are written in double quotes',
  '`': 'strings are written in double quotes',
  '#': 'comments begin with `//`',
  ';': 'calls need no separator',
}

/** Twice as many as the longest handwritten scripts have. Parsing and validation cost time per token. */
const MAX_TOKENS = 20_000

/** Splits source into tokens. Invalid characters are reported and skipped; the last token is `end`. */
export function tokenize(source: string): { tokens: Token[]; findings: Finding[] } {
  const tokens: Token[] = []
  const findings: Finding[] = []
  const report = (offset: number, detail: string) =>
    findings.push({ code: 'PARSE_ERROR', callIndex: null, field: null, detail, offset })
  const problem = findUnstorableText(source)
  if (problem) {
    report(problem.offset, problem.detail)
    return { tokens: [{ kind: 'end', value: '', offset: source.length, end: source.length }], findings }
  }
  let at = source.startsWith('\uFEFF') ? 1 : 0

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(source)
  }
  const push = (kind: TokenKind, value: string) => {
    tokens.push({ kind, value, offset: at, end: at + value.length })
    at += value.length
  }

  while (at < source.length && findings.length < MAX_FINDINGS) {
    if (tokens.length >= MAX_TOKENS) {
      report(at, `the script has more than ${MAX_TOKENS} tokens`)
      break
    }
    const char = source[at]!
    if (char <= ' ' || (char === '/' && source[at + 1] === '/')) {
      const skipped = match(SKIPPED)
      if (skipped) {
        at += skipped[0].length
        continue
      }
    }
    if (isLetter(char)) push('ident', match(IDENT)![0])
    else if (char >= '0' && char <= '9') {
      const number = match(NUMBER)!
      push(number[2] === undefined ? 'int' : 'float', number[0])
    } else if (char === '"') at = readString(source, at, tokens, report)
    else if (char === '$') at = readVariable(source, at, tokens, report)
    else if (PUNCTUATION.has(char)) push('punct', char)
    else {
      const run = match(UNEXPECTED)?.[0] ?? String.fromCodePoint(source.codePointAt(at)!)
      const hint = HINTS[run]
      report(at, `unexpected ${show(run)}${hint ? `: ${hint}` : ''}`)
      at += run.length
    }
  }
  tokens.push({ kind: 'end', value: '', offset: source.length, end: source.length })
  const open = findUnclosedString(source, tokens)
  if (open !== null)
    return { tokens, findings: [unclosedString(open), ...findings.filter((one) => one.offset! < open)] }
  return { tokens, findings }
}

const AFTER_STRING = new Set(['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'and', 'or'])

/**
 * Returns the offset of a string that lacks its closing quote, or null. Strings may span lines, so such a string ends
 * at the opening quote of a later line; the token after it then cannot follow a string.
 */
function findUnclosedString(source: string, tokens: Token[]): number | null {
  const at = tokens.findIndex(({ kind, offset, end }, index) => {
    if (kind !== 'string' || !source.slice(offset, end).includes('\n')) return false
    const next = tokens[index + 1]!
    return next.kind === 'ident' ? !AFTER_STRING.has(next.value) : next.kind !== 'punct' && next.kind !== 'end'
  })
  return at < 0 ? null : tokens[at]!.offset
}

function unclosedString(offset: number): Finding {
  return { code: 'PARSE_ERROR', callIndex: null, field: null, detail: 'the string is not closed', offset }
}

function isLetter(char: string): boolean {
  return (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || char === '_'
}

type Report = (offset: number, detail: string) => void

function readString(source: string, start: number, tokens: Token[], report: Report): number {
  let at = start + 1
  let value = ''
  for (;;) {
    STRING_PLAIN.lastIndex = at
    const plain = STRING_PLAIN.exec(source)?.[0] ?? ''
    value += plain
    at += plain.length
    const char = source[at]
    if (char === undefined) {
      report(start, 'the string is not closed')
      break
    }
    if (char === '"') {
      at++
      break
    }
    const escaped = source[at + 1]
    const meaning = escaped === undefined ? undefined : ESCAPES[escaped]
    if (meaning === undefined && escaped !== undefined) {
      report(at, `unknown escape ${show(source.slice(at, at + 2))}: the escapes are \\" \\\\ \\n \\t \\r \\$`)
    }
    value += meaning ?? ''
    at += escaped === undefined ? 1 : 2
  }
  tokens.push({ kind: 'string', value, offset: start, end: at })
  return at
}

function readVariable(source: string, start: number, tokens: Token[], report: Report): number {
  const run = source[start + 1] === '$'
  const nameAt = start + (run ? 2 : 1)
  IDENT.lastIndex = nameAt
  const name = IDENT.exec(source)?.[0]
  if (name === undefined) {
    report(start, `expected the name of a variable after \`${run ? '$$' : '$'}\``)
    return nameAt
  }
  tokens.push({ kind: run ? 'run' : 'script', value: name, offset: start, end: nameAt + name.length })
  return nameAt + name.length
}

/** Finds characters that a database or a JSON parser does not accept. */
function findUnstorableText(source: string): { offset: number; detail: string } | null {
  const nul = source.indexOf('\0')
  if (nul >= 0) return { offset: nul, detail: 'the script contains a NUL character' }
  if (source.isWellFormed()) return null
  return { offset: source.search(LONE_SURROGATE), detail: 'the script contains half of a surrogate pair' }
}

function show(text: string): string {
  const code = text.codePointAt(0)!
  const printable = code > 0x20 && code < 0x7f
  return printable ? `\`${text}\`` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
