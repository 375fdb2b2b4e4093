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
   * Names of variable scopes, outermost first: with `s` among them, `$s.base` in a string is one variable. The language
   * itself has no scopes.
   */
  scopes?: Iterable<string>
}

/**
 * Parses source into a syntax tree. Never throws: after an error, parsing continues at the next chain method or call,
 * so one parse may report several errors. `ast` is null when there are errors.
 */
export function parseScript(source: string, options: ParseOptions = {}): { ast: Script | null; errors: LaceError[] } {
  const parsed = readScript(source, options)
  // A tree has at least one call, and a call has a chain: for the parser, a missing one is a syntax error.
  const fatal: Finding[] = parsed.findings
    .filter((finding) => SYNTAX_CODES.has(finding.code))
    .map((finding) => ({ ...finding, code: 'PARSE_ERROR' }))
  if (fatal.length > 0) return { ast: null, errors: locate(fatal, source) }
  return { ast: parsed.ast, errors: [] }
}

const SYNTAX_CODES = new Set(['PARSE_ERROR', 'EXPRESSION_SYNTAX', 'AT_LEAST_ONE_CALL', 'EMPTY_CHAIN'])

/** A chain method that a call has for the second time. */
export type DuplicateMethod = { callIndex: number; method: ChainMethod; block: Chain[ChainMethod] }

export type ReadScript = {
  ast: Script
  /** False when parts of the source are missing from the tree. */
  complete: boolean
  duplicates: DuplicateMethod[]
  findings: Finding[]
  offsetOf: (node: object, field?: string) => number | null
}

/** Returns the tree, as far as it could be parsed, and all findings about its structure. */
export function readScript(source: string, options: ParseOptions = {}): ReadScript {
  const { tokens, findings } = tokenize(source)
  const cursor = new Cursor(tokens, options.scopes ?? [])
  const calls: Call[] = []
  const duplicates: DuplicateMethod[] = []
  let complete = findings.length === 0
  // After an error of the lexer, the parser would only report the same fault again.
  while (complete && cursor.peek().kind !== 'end') {
    cursor.callIndex = calls.length
    const call = readCallWithChain(cursor, duplicates)
    if (call) calls.push(call)
    else break
  }
  complete &&= !cursor.findings.some((finding) => finding.code === 'PARSE_ERROR' || isBrokenExpression(finding))
  if (complete && calls.length === 0) {
    findings.push({
      code: 'AT_LEAST_ONE_CALL',
      callIndex: null,
      field: null,
      detail: 'the script has no calls',
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

/** Parses one call with its chain; null when nothing more can be parsed. */
function readCallWithChain(cursor: Cursor, duplicates: DuplicateMethod[]): Call | null {
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

/** `methods` holds the chain methods of this call that were parsed before. */
function readChainMethod(cursor: Cursor, call: Call, methods: ChainMethod[], duplicates: DuplicateMethod[]): void {
  const { method, offset, block } = parseChainMethod(cursor)
  if (typeof block === 'object') cursor.node(block, offset)
  const laterMethod = methods.find((one) => CHAIN_METHODS.indexOf(one) > CHAIN_METHODS.indexOf(method))
  if (methods.includes(method)) {
    cursor.report('CHAIN_DUPLICATE', `this call has \`.${method}\` more than once`, offset)
    duplicates.push({ callIndex: cursor.callIndex!, method, block })
    return
  }
  methods.push(method)
  if (block !== undefined) Object.assign(call.chain, { [method]: block })
  if (laterMethod === undefined) return
  const order = `.${CHAIN_METHODS.join(', .')}`
  cursor.report('CHAIN_ORDER', `\`.${method}\` follows \`.${laterMethod}\`; the order is ${order}`, offset)
}

function readHead(cursor: Cursor, call: Call): void {
  const name = cursor.expectKind('ident', 'a call, such as `get("…")`')
  const method = METHODS.find((one) => one === name.value)
  if (!method)
    throw cursor.fail(`${quote(name.value)} is not an HTTP method of a probe${methodHint(name.value)}`, name.offset)
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
  return didYouMean(name, METHODS) || `; the methods are ${METHODS.join(', ')}`
}

/** Runs `read`; after a syntax error, skips to the next chain method or call. */
function recover(cursor: Cursor, read: () => void): boolean {
  const start = cursor.position
  try {
    read()
    return true
  } catch (error) {
    if (error !== SYNTAX_FAILURE) throw error
    cursor.syntaxCode = 'PARSE_ERROR'
    if (cursor.findings.length >= MAX_FINDINGS) cursor.skipToEnd()
    // Without progress, the same error would repeat forever.
    if (cursor.position === start) cursor.next()
    while (cursor.peek().kind !== 'end' && !atCall(cursor) && !atChainMethod(cursor)) cursor.next()
    return false
  }
}

/** Inside brackets or after an operator, `get(` is a mistake in an expression, not the next call. */
function atCall(cursor: Cursor): boolean {
  const before = cursor.peek(-1)
  const closes = before.kind === 'string' || (before.kind === 'punct' && ')}]'.includes(before.value))
  return closes && METHODS.some((method) => cursor.isWord(method)) && cursor.is('(', 1)
}

function atChainMethod(cursor: Cursor): boolean {
  return cursor.is('.') && CHAIN_METHODS.some((method) => cursor.isWord(method, 1)) && cursor.is('(', 2)
}
