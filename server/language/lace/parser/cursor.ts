import type { ChainMethod } from '../ast.ts'
import type { Finding, LaceCode } from '../errors.ts'
import type { Token, TokenKind } from '../lexer.ts'
import { quote } from '../suggest.ts'

/** Nesting of brackets, parentheses, unary operators and calls. */
const MAX_NESTING = 100
/** Levels of an expression's tree. With this limit, functions that walk a tree may recurse. */
const MAX_TREE_DEPTH = 1000

/** Unwinds to where parsing can continue; never leaves the parser. One instance, because capturing a stack is slow. */
export const SYNTAX_FAILURE = new Error('syntax')

/** Reads tokens in order, records the offsets of nodes, and collects findings. */
export class Cursor {
  readonly findings: Finding[] = []
  /** Offsets of nodes, and of their fields that are not nodes. */
  readonly offsets = new Map<object, number>()
  readonly fieldOffsets = new Map<object, Map<string, number>>()
  readonly scopes: ReadonlySet<string>
  callIndex: number | null = null
  chainMethod: ChainMethod | undefined
  /** The code of a syntax error at this point: EXPRESSION_SYNTAX inside conditions of `.assert()`. */
  syntaxCode: LaceCode = 'PARSE_ERROR'
  private readonly tokens: Token[]
  private readonly depths = new Map<object, number>()
  private at = 0
  private nesting = 0

  constructor(tokens: Token[], scopes: Iterable<string>) {
    this.tokens = tokens
    this.scopes = new Set(scopes)
  }

  get position(): number {
    return this.at
  }

  /**
   * Returns the token `ahead` places after the next one, before it when negative; outside the script, the end token.
   */
  peek(ahead = 0): Token {
    return this.tokens[this.at + ahead] ?? this.tokens.at(-1)!
  }

  next(): Token {
    const token = this.peek()
    if (this.at < this.tokens.length - 1) this.at++
    return token
  }

  skipToEnd(): void {
    this.at = this.tokens.length - 1
  }

  is(value: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'punct' && token.value === value
  }

  isWord(value: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'ident' && token.value === value
  }

  accept(value: string): boolean {
    if (!this.is(value)) return false
    this.at++
    return true
  }

  expect(value: string, where: string): Token {
    if (this.is(value)) return this.next()
    throw this.unexpected(`\`${value}\` ${where}`)
  }

  expectKind(kind: TokenKind, what: string): Token {
    if (this.peek().kind === kind) return this.next()
    throw this.unexpected(what)
  }

  /** Records an error and returns the exception that leaves the construct. */
  fail(detail: string, offset = this.peek().offset, code = this.syntaxCode): Error {
    this.report(code, detail, offset)
    return SYNTAX_FAILURE
  }

  unexpected(expected: string): Error {
    const token = this.peek()
    // At the end of the script, a bracket is not closed: this is not an error of an expression.
    const code = token.kind === 'end' ? 'PARSE_ERROR' : this.syntaxCode
    return this.fail(`expected ${expected}, found ${describe(token)}`, token.offset, code)
  }

  report(code: LaceCode, detail: string, offset: number, field: string | null = null): void {
    const finding: Finding = { code, callIndex: this.callIndex, field, detail, offset }
    if (this.chainMethod) finding.chainMethod = this.chainMethod
    this.findings.push(finding)
  }

  /** Runs `read` one level deeper. Too deep is a syntax error, not a stack overflow. */
  nested<T>(read: () => T): T {
    if (this.nesting >= MAX_NESTING) {
      throw this.fail(`expressions nest deeper than ${MAX_NESTING} levels`, this.peek().offset, 'PARSE_ERROR')
    }
    this.nesting++
    try {
      return read()
    } finally {
      this.nesting--
    }
  }

  /** Records the offset of a node and the depth of its tree. */
  node<T extends object>(node: T, offset: number, children: object[] = []): T {
    let depth = 1
    for (const child of children) depth = Math.max(depth, (this.depths.get(child) ?? 1) + 1)
    if (depth > MAX_TREE_DEPTH) throw this.fail('the expression is too long', offset, 'PARSE_ERROR')
    this.offsets.set(node, offset)
    if (depth > 1) this.depths.set(node, depth)
    return node
  }

  markField(node: object, field: string, offset: number): void {
    const fields = this.fieldOffsets.get(node) ?? new Map<string, number>()
    fields.set(field, offset)
    this.fieldOffsets.set(node, fields)
  }

  /** Parses items up to `close`; a trailing comma is allowed. The opening bracket is already consumed. */
  list(close: string, where: string, read: () => void): void {
    this.items(close, read)
    this.expect(close, where)
  }

  /** Parses items without consuming `close`. */
  items(close: string, read: () => void): void {
    while (!this.is(close)) {
      read()
      if (this.accept(',')) continue
      if (this.startsItem()) throw this.fail(`a comma is missing before ${describe(this.peek())}`)
      break
    }
  }

  /** Returns whether the next token can begin an item, so that only the comma before it is missing. */
  private startsItem(): boolean {
    const { kind, value } = this.peek()
    return kind === 'punct' ? value === '{' || value === '[' : kind !== 'end'
  }
}

export function describe(token: Token): string {
  if (token.kind === 'end') return 'the end of the script'
  if (token.kind === 'string') return 'a string'
  if (token.kind === 'script') return quote(`$${token.value}`)
  if (token.kind === 'run') return quote(`$$${token.value}`)
  return quote(token.value)
}
