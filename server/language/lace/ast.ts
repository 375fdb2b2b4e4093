/** The syntax tree, in the wire shape of the language's published schema (version 0.9.4). */
export const AST_VERSION = '0.9.4'

export type Script = { version: typeof AST_VERSION; calls: Call[] }

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof METHODS)[number]

/** In the order that the language requires. */
export const CHAIN_METHODS = ['expect', 'check', 'assert', 'store', 'wait'] as const
export type ChainMethod = (typeof CHAIN_METHODS)[number]

export const EXPECT_SCOPES = [
  'status',
  'body',
  'headers',
  'bodySize',
  'totalDelayMs',
  'dns',
  'connect',
  'tls',
  'ttfb',
  'transfer',
  'size',
  'redirects',
] as const
export type ExpectScope = (typeof EXPECT_SCOPES)[number]

export const COMPARISONS = ['lt', 'lte', 'eq', 'neq', 'gte', 'gt'] as const
export type Comparison = (typeof COMPARISONS)[number]

export const TIMEOUT_ACTIONS = ['fail', 'warn', 'retry'] as const
export type TimeoutAction = (typeof TIMEOUT_ACTIONS)[number]

export const REDIRECT_MATCHES = ['first', 'last', 'any'] as const
export type RedirectMatch = (typeof REDIRECT_MATCHES)[number]

export const BODY_MODES = ['loose', 'strict'] as const
export type BodyMode = (typeof BODY_MODES)[number]

/** A map of the tree. It has no prototype, so `__proto__` is an ordinary name. */
export type Named<T> = Record<string, T>

export type Call = { method: Method; url: string; config?: CallConfig; chain: Chain }

export type CallConfig = {
  headers?: Named<Expr>
  body?: BodyValue
  cookies?: Named<Expr>
  cookieJar?: string
  clearCookies?: string[]
  redirects?: { follow?: boolean; max?: number; extensions?: Named<Expr> }
  security?: { rejectInvalidCerts?: boolean; extensions?: Named<Expr> }
  timeout?: { ms?: number; action?: TimeoutAction; retries?: number; extensions?: Named<Expr> }
  extensions?: Named<Expr>
}

export type BodyValue = { type: 'json' | 'form'; value: ObjectLit } | { type: 'raw'; value: string }

export type Chain = {
  expect?: ExpectScopes
  check?: ExpectScopes
  assert?: AssertBlock
  store?: StoreBlock
  /** Milliseconds. */
  wait?: number
}

export type ExpectScopes = { [S in ExpectScope]?: ExpectScopeValue }

export type ExpectScopeValue = {
  value: Expr
  op?: Comparison
  match?: RedirectMatch
  mode?: BodyMode
  options?: Named<Expr>
}

export type AssertBlock = { expect?: Condition[]; check?: Condition[] }
export type Condition = { condition: Expr; options?: Named<Expr> }

export type StoreBlock = Named<StoreEntry>
export type StoreEntry = { scope: 'run' | 'writeback'; value: Expr }

export type Expr = Binary | Unary | ThisRef | PrevRef | FuncCall | ScriptVar | RunVar | Literal | ObjectLit | ArrayLit

export type BinaryOp = 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte' | 'and' | 'or' | '+' | '-' | '*' | '/' | '%'
export type Binary = { kind: 'binary'; op: BinaryOp; left: Expr; right: Expr }
export type Unary = { kind: 'unary'; op: 'not' | '-'; operand: Expr }
export type ThisRef = { kind: 'thisRef'; path: string[] }
export type PrevRef = { kind: 'prevRef'; path: PathSegment[] }
export type FuncCall = { kind: 'funcCall'; name: string; args: Expr[] }
export type ScriptVar = { kind: 'scriptVar'; name: string; path?: PathSegment[] }
export type RunVar = { kind: 'runVar'; name: string; path?: PathSegment[] }
export type Literal = {
  kind: 'literal'
  valueType: 'string' | 'int' | 'float' | 'bool' | 'null'
  value: string | number | boolean | null
}
export type ObjectLit = { kind: 'objectLit'; entries: { key: string; value: Expr }[] }
export type ArrayLit = { kind: 'arrayLit'; items: Expr[] }

export type PathSegment = { type: 'field'; name: string } | { type: 'index'; index: number }

/** Returns an empty map of the tree. */
export function named<T>(): Named<T> {
  return Object.create(null)
}
