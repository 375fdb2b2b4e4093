import type { Call, Chain, ExpectScope, Expr, Named, Script } from '../lace/ast.ts'
import { tokenize } from '../lace/lexer.ts'
import { parseScript, type ReadScript, readScript } from '../lace/parser.ts'
import { printSource } from '../lace/print/expression.ts'
import { printExpectScopeValue } from '../lace/print/print.ts'
import { printVariable } from '../lace/references.ts'
import type { Json } from '../script-import/request.ts'
import { splitHeaders, splitUrl } from './parts.ts'
import type { Assertion, Body, Level, Pair, Step, Taken } from './steps.ts'
import { ANY_RESPONSE, writeSteps } from './write-steps.ts'

/** The names of variable scopes that scripts use. */
const SCOPES = ['o', 'w', 'p', 's']

/** The steps of a script, or the first line that the builder cannot show, and why: the end of a sentence. */
export type ReadSteps = { steps: Step[] } | { line: number; reason: string }

/** A part of a script that the builder has no field for. `node` says where it is. */
class Inexpressible extends Error {
  readonly node: object
  readonly field: string | undefined

  constructor(reason: string, node: object, field?: string) {
    super(reason)
    this.node = node
    this.field = field
  }
}

/**
 * Reads the steps of a script. The script of these steps has the same syntax tree, so that the builder changes only what
 * a member changes in it.
 */
export function readSteps(script: string): ReadSteps {
  const { tokens, findings } = tokenize(script)
  const lineAt = (offset: number) => script.slice(0, offset).split('\n').length
  const comment = findings.length === 0 ? commentOffset(script, tokens) : null
  if (comment !== null) return { line: lineAt(comment), reason: 'it has a comment' }
  const read = readScript(script, { scopes: SCOPES })
  const [problem] = read.findings
  if (problem) return { line: lineAt(problem.offset ?? 0), reason: problem.detail }
  try {
    const steps = read.ast.calls.map(stepOf)
    const changed = firstChange(read.ast, steps)
    return changed ? { line: lineAt(read.offsetOf(changed) ?? 0), reason: 'it is written in another form' } : { steps }
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error
    return { line: lineAt(offsetOf(read, error)), reason: error.message }
  }
}

/** Returns why a text is no condition of the language, or null. */
export function expressionProblem(expression: string): string | null {
  const [problem] = readScript(`get("x").assert({ expect: [\n${expression}\n] })`, { scopes: SCOPES }).findings
  return problem ? problem.detail.charAt(0).toUpperCase() + problem.detail.slice(1) : null
}

function offsetOf(read: ReadScript, { node, field }: Inexpressible): number {
  return read.offsetOf(node, field) ?? 0
}

/** Comments are between the tokens. */
function commentOffset(script: string, tokens: { offset: number; end: number }[]): number | null {
  let end = 0
  for (const token of tokens) {
    const at = script.slice(end, token.offset).indexOf('//')
    if (at >= 0) return end + at
    end = token.end
  }
  return null
}

/** Returns the first call that the script of the steps would change. The order of headers and scopes means nothing. */
function firstChange(ast: Script, steps: Step[]): Call | null {
  const { ast: written } = parseScript(writeSteps(steps), { scopes: SCOPES })
  return ast.calls.find((call, at) => sorted(call) !== sorted(written?.calls[at])) ?? null
}

function sorted(call: Call | undefined): string {
  return JSON.stringify(call, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

function stepOf(call: Call): Step {
  const config = call.config ?? {}
  for (const [name, value] of Object.entries(config)) {
    if (!SHOWN_CONFIG.includes(name)) {
      const first = name === 'extensions' ? Object.keys(value)[0] : name
      throw new Inexpressible(`it has ${first}`, config, name === 'extensions' ? `extensions.${first}` : name)
    }
  }
  const given = readPairs(config.headers)
  const isRaw = config.body?.type === 'raw'
  const typeRow = isRaw ? given.find(({ name }) => name === 'Content-Type') : undefined
  const { headers, auth: ofHeader } = splitHeaders(given.filter((row) => row !== typeRow))
  const ofUrl = ofHeader.kind === 'none' ? splitUrl(call.url) : { url: call.url, auth: ofHeader }
  return {
    method: call.method,
    url: ofUrl.url,
    headers,
    auth: ofUrl.auth,
    body: readBody(config, typeRow?.value ?? ''),
    followsRedirects: readOption(config.redirects, 'follow', 'redirects') !== false,
    acceptsInvalidCertificates: readOption(config.security, 'rejectInvalidCerts', 'security') === false,
    timeoutMs: (readOption(config.timeout, 'ms', 'timeout') as number | undefined) ?? null,
    assertions: readAssertions(call.chain),
    takes: readTakes(call),
  }
}

const SHOWN_CONFIG = ['headers', 'body', 'redirects', 'security', 'timeout']

/** Returns a field of a group. A group with another field cannot be shown. */
function readOption(group: Record<string, unknown> | undefined, field: string, name: string): unknown {
  const other = Object.keys(group ?? {}).find((one) => one !== field)
  if (group && other !== undefined) throw new Inexpressible(`${name} has ${other}`, group, other)
  return group?.[field]
}

function readPairs(map: Named<Expr> | undefined): Pair[] {
  return Object.entries(map ?? {}).map(([name, expr]) => ({ name, value: textOf(expr, `the header ${name}`) }))
}

function readBody({ body }: NonNullable<Call['config']>, type: string): Body {
  if (!body) return { kind: 'none' }
  if (body.type === 'raw') return { kind: 'text', text: body.value, type }
  if (body.type === 'json') return { kind: 'json', text: JSON.stringify(jsonOf(body.value), null, 2) }
  const fields = body.value.entries.map(({ key, value }) => ({ name: key, value: textOf(value, `the field ${key}`) }))
  return { kind: 'form', fields }
}

function jsonOf(expr: Expr): Json {
  switch (expr.kind) {
    case 'objectLit':
      return Object.fromEntries(expr.entries.map(({ key, value }) => [key, jsonOf(value)]))
    case 'arrayLit':
      return expr.items.map(jsonOf)
    case 'unary':
      if (expr.op === '-' && expr.operand.kind === 'literal') return -Number(expr.operand.value)
      break
    case 'literal':
      if (expr.valueType !== 'string') return expr.value
  }
  return textOf(expr, 'the JSON body')
}

/** The text of a string, in which variables keep their names. */
function textOf(expr: Expr, what: string): string {
  if (expr.kind === 'literal' && typeof expr.value === 'string') return expr.value
  if (expr.kind === 'scriptVar' || expr.kind === 'runVar') {
    return printVariable(expr.name, expr.path ?? [], expr.kind === 'runVar' ? 'run' : 'script')
  }
  throw new Inexpressible(`${what} has an expression`, expr)
}

function readAssertions({ expect, check, assert }: Chain): Assertion[] {
  const assertions = [...readScopes(expect, 'expect'), ...readScopes(check, 'check')]
  for (const level of ['expect', 'check'] as const) {
    for (const { condition, options } of assert?.[level] ?? []) {
      if (options) throw new Inexpressible('a condition has options', condition)
      assertions.push({ kind: 'condition', level, expression: printSource(condition) })
    }
  }
  const isAny = assertions.length === 1 && JSON.stringify(assertions[0]) === JSON.stringify(ANY_RESPONSE)
  return isAny ? [] : assertions
}

function readScopes(scopes: Chain['expect'], level: Level): Assertion[] {
  return Object.entries(scopes ?? {}).flatMap(([scope, value]): Assertion[] => {
    const isPlain = scope === 'headers' && Object.keys(value).join() === 'value' && value.value.kind === 'objectLit'
    const entries = isPlain && value.value.kind === 'objectLit' ? value.value.entries : []
    if (entries.length > 0 && entries.every((entry) => isText(entry.value))) {
      return entries.map((entry) => ({ kind: 'header', level, name: entry.key, value: textOf(entry.value, scope) }))
    }
    return [{ kind: 'scope', level, scope: scope as ExpectScope, value: printExpectScopeValue(value) }]
  })
}

function isText(expr: Expr): boolean {
  return expr.kind === 'literal' ? expr.valueType === 'string' : expr.kind === 'scriptVar' || expr.kind === 'runVar'
}

function readTakes(call: Call): Taken[] {
  const { store = {}, wait } = call.chain
  const takes = Object.entries(store).map(([key, { scope, value }]) => {
    if (scope !== 'run') throw new Inexpressible(`it stores the variable ${key}`, store, key)
    return { name: key.slice(2), from: printSource(value) }
  })
  if (wait !== undefined) throw new Inexpressible('it has .wait', call)
  return takes
}
