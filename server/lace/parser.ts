import type { Call, Chain, ChainMethod, Script } from './ast.ts'
import { AST_VERSION, CHAIN_METHODS, METHODS } from './ast.ts'
import { type Finding, type LaceError, locate, MAX_FINDINGS } from './errors.ts'
import { tokenize } from './lexer.ts'
import { parseChainMethod } from './parser/chain.ts'
import { parseConfig } from './parser/config.ts'
import { Cursor, SYNTAX_FAILURE } from './parser/cursor.ts'
import { didYouMean, quote } from './suggest.ts'

export type ParseOptions = {
  /**
   * Names that address a scope of variables, outermost first: with `s` among them, `$s.base` in a text is one
   * variable. None in the language itself.
   */
  scopes?: Iterable<string>
}

/**
 * Source text to syntax tree. Never throws; after an error it goes on at the next chain method or call, so several
 * errors may come at once. `ast` is null when there is any.
 */
export function parseScript(source: string, options: ParseOptions = {}): { ast: Script | null; errors: LaceError[] } {
  const parsed = readScript(source, options)
  // A tree cannot be without calls, nor a call without a chain: for a parser both are errors of syntax.
  const fatal: Finding[] = parsed.findings
    .filter((finding) => SYNTAX_CODES.has(finding.code))
    .map((finding) => ({ ...finding, code: 'PARSE_ERROR' }))
  if (fatal.length > 0) return { ast: null, errors: locate(fatal, source) }
  return { ast: parsed.ast, errors: [] }
}

const SYNTAX_CODES = new Set(['PARSE_ERROR', 'EXPRESSION_SYNTAX', 'AT_LEAST_ONE_CALL', 'EMPTY_CHAIN'])

/** A chain method that stands again on a call which has it already. */
export type DuplicateMethod = { callIndex: number; method: ChainMethod; block: Chain[ChainMethod] }

export type ReadScript = {
  ast: Script
  /** False when parts of the source are missing from the tree. */
  complete: boolean
  duplicates: DuplicateMethod[]
  findings: Finding[]
  offsetOf: (node: object, field?: string) => number | null
}

/** The tree as far as it goes, and every finding about its structure. */
export function readScript(source: string, options: ParseOptions = {}): ReadScript {
  const { tokens, findings } = tokenize(source)
  const cursor = new Cursor(tokens, options.scopes ?? [])
  const calls: Call[] = []
  const duplicates: DuplicateMethod[] = []
  let complete = findings.length === 0
  // What the lexer could not read would only echo in the grammar.
  while (complete && cursor.peek().kind !== 'end') {
    cursor.callIndex = calls.length
    const call = readCall(cursor, duplicates)
    if (call) calls.push(call)
    else break
  }
  complete &&= !cursor.findings.some((finding) => finding.code === 'PARSE_ERROR' || isBrokenExpression(finding))
  if (complete && calls.length === 0) {
    findings.push({
      code: 'AT_LEAST_ONE_CALL',
      callIndex: null,
      field: null,
      detail: 'the script makes no call',
      offset: 0,
    })
  }
  return {
    ast: { version: AST_VERSION, calls },
    complete,
    duplicates,
    findings: [...findings, ...cursor.findings],
    offsetOf: (node, field) =>
      (field === undefined ? undefined : cursor.fieldOffsets.get(node)?.get(field)) ?? cursor.offsets.get(node) ?? null,
  }
}

function isBrokenExpression(finding: Finding): boolean {
  return finding.code === 'EXPRESSION_SYNTAX' && finding.chainMethod === 'assert'
}

/** One call with its chain; null when nothing more can be read. */
function readCall(cursor: Cursor, duplicates: DuplicateMethod[]): Call | null {
  const call: Call = { method: 'get', url: '', chain: {} }
  const { offset } = cursor.peek()
  cursor.chainMethod = undefined
  cursor.syntaxCode = 'PARSE_ERROR'
  const headRead = recover(cursor, () => readHead(cursor, call))
  cursor.node(call, offset)
  if (!headRead && !atChainMethod(cursor)) return cursor.peek().kind === 'end' ? null : call
  const methods: ChainMethod[] = []
  const from = cursor.position
  while (cursor.is('.')) {
    cursor.chainMethod = undefined
    recover(cursor, () => readChainMethod(cursor, call, methods, duplicates))
  }
  cursor.chainMethod = undefined
  if (cursor.position === from) {
    cursor.report('EMPTY_CHAIN', 'the call has no chain method, so nothing is checked', offset)
  }
  return call
}

/** `methods` holds those of the call that were read before. */
function readChainMethod(cursor: Cursor, call: Call, methods: ChainMethod[], duplicates: DuplicateMethod[]): void {
  const { method, offset, block } = parseChainMethod(cursor)
  if (typeof block === 'object') cursor.node(block, offset)
  const after = methods.find((one) => CHAIN_METHODS.indexOf(one) > CHAIN_METHODS.indexOf(method))
  if (methods.includes(method)) {
    cursor.report('CHAIN_DUPLICATE', `\`.${method}\` stands more than once on this call`, offset)
    duplicates.push({ callIndex: cursor.callIndex!, method, block })
    return
  }
  methods.push(method)
  if (block !== undefined) Object.assign(call.chain, { [method]: block })
  if (after === undefined) return
  const order = `.${CHAIN_METHODS.join(', .')}`
  cursor.report('CHAIN_ORDER', `\`.${method}\` stands after \`.${after}\`; the order is ${order}`, offset)
}

function readHead(cursor: Cursor, call: Call): void {
  const name = cursor.expectKind('ident', 'a call, such as `get("…")`')
  const method = METHODS.find((one) => one === name.value)
  if (!method)
    throw cursor.fail(`${quote(name.value)} is no HTTP method of a probe${methodHint(name.value)}`, name.offset)
  cursor.expect('(', `after \`${method}\``)
  const url = cursor.expectKind('string', 'the URL, in double quotes')
  if (url.value === '') throw cursor.fail('the URL is empty', url.offset)
  call.method = method
  call.url = url.value
  cursor.markField(call, 'url', url.offset)
  if (cursor.is('{')) throw cursor.fail('a comma is missing between the URL and the config')
  if (cursor.accept(',')) call.config = parseConfig(cursor)
  cursor.expect(')', 'after the URL and the config of the call')
}

function methodHint(name: string): string {
  if (name.toLowerCase() === 'head') return ': probes need a response body, so use `get`'
  return didYouMean(name, METHODS) || `; there are ${METHODS.join(', ')}`
}

/** Runs `read`; after a syntax error, moves on to the next chain method or call. */
function recover(cursor: Cursor, read: () => void): boolean {
  const start = cursor.position
  try {
    read()
    return true
  } catch (error) {
    if (error !== SYNTAX_FAILURE) throw error
    cursor.syntaxCode = 'PARSE_ERROR'
    if (cursor.findings.length >= MAX_FINDINGS) cursor.skipToEnd()
    // Standing still would read the same error for ever.
    if (cursor.position === start) cursor.next()
    while (cursor.peek().kind !== 'end' && !atCall(cursor) && !atChainMethod(cursor)) cursor.next()
    return false
  }
}

/** Inside brackets or after an operator, `get(` is a mistake in an expression rather than the next call. */
function atCall(cursor: Cursor): boolean {
  const before = cursor.peek(-1)
  const closes = before.kind === 'string' || (before.kind === 'punct' && ')}]'.includes(before.value))
  return closes && METHODS.some((method) => cursor.isWord(method)) && cursor.is('(', 1)
}

function atChainMethod(cursor: Cursor): boolean {
  return cursor.is('.') && CHAIN_METHODS.some((method) => cursor.isWord(method, 1)) && cursor.is('(', 2)
}
