import type { Script } from './ast.ts'
import { type Finding, type LaceError, locate, MAX_FINDINGS } from './errors.ts'
import { type ReadScript, readScript } from './parser.ts'
import { readStoreKey } from './store-key.ts'
import { checkChain } from './validator/chain.ts'
import { checkConfig } from './validator/config.ts'
import { checkExpressions } from './validator/expressions.ts'
import { type RegisteredVariables, Registry } from './validator/registry.ts'
import type { Report } from './validator/report.ts'

export type ValidateOptions = {
  /** Names of the registered script variables; with `scopes`, the names in each scope. Null accepts every name. */
  variables?: RegisteredVariables | null
  /**
   * Names of variable scopes, outermost first (`['o', 'w', 'p', 's']`). With scopes, an unscoped `$x` is unknown, and a
   * variable that the script writes back counts as registered in the innermost scope.
   */
  scopes?: readonly string[]
  /** Default 10. */
  maxRedirects?: number
  /** Milliseconds. Default 300,000. */
  maxTimeoutMs?: number
  /** Whether a previous result exists; without one, using `prev` is a warning. Default false. */
  hasPrev?: boolean
  /** Rules of the host program. They run only on a script that was parsed completely. */
  rules?: readonly ExtraRule[]
}

/** A rule of the host program. It reports problems with its own codes. */
export type ExtraRule = (ast: Script, report: (problem: ExtraProblem) => void) => void
export type ExtraProblem = {
  code: string
  callIndex: number
  field: string
  detail: string
  /** The node of the tree that has the problem. */
  node: object
}

export type Validation = {
  /** Null when the source could not be parsed completely. */
  ast: Script | null
  errors: LaceError[]
  warnings: LaceError[]
}

const MANY_CALLS = 10
const WARNINGS = new Set(['PREV_WITHOUT_RESULTS', 'EXT_FIELD_INACTIVE', 'HIGH_CALL_COUNT', 'TEXT_NOT_INTERPOLATED'])

/** Checks a script against every rule of the language. Never throws. */
export function validateScript(source: string, options: ValidateOptions = {}): Validation {
  const read = readScript(source, { scopes: options.scopes ?? [] })
  const findings = read.complete ? [...read.findings, ...semanticFindings(read, options)] : read.findings
  return { ast: read.complete ? read.ast : null, ...sorted(findings, source) }
}

/** Checks a parsed tree like `validateScript`. The structure is trusted, and errors have no line and column. */
export function validateTree(ast: Script, options: ValidateOptions = {}): Validation {
  const read: ReadScript = { ast, complete: true, duplicates: [], findings: [], offsetOf: () => null }
  return { ast, ...sorted(semanticFindings(read, options), null) }
}

function sorted(findings: Finding[], source: string | null): { errors: LaceError[]; warnings: LaceError[] } {
  const all = locate(findings.slice(0, MAX_FINDINGS), source)
  return {
    errors: all.filter((finding) => !WARNINGS.has(finding.code)),
    warnings: all.filter((finding) => WARNINGS.has(finding.code)),
  }
}

function semanticFindings(read: ReadScript, options: ValidateOptions): Finding[] {
  const findings: Finding[] = []
  const seen = new Set<string>()
  const report: Report = (code, callIndex, chainMethod, field, detail, node, nodeField) => {
    const key = [code, callIndex, chainMethod, field].join(' ')
    if (findings.length >= MAX_FINDINGS || seen.has(key)) return
    seen.add(key)
    const finding: Finding = {
      code,
      callIndex,
      field,
      detail: detail(),
      offset: node ? read.offsetOf(node, nodeField) : null,
    }
    if (chainMethod) finding.chainMethod = chainMethod
    findings.push(finding)
  }
  const calls = read.ast.calls.map((call, index) => ({ call, index }))
  // A duplicate chain method is checked as well, as if it belonged to a separate call.
  for (const { callIndex, method, block } of read.duplicates) {
    const { url, method: http } = read.ast.calls[callIndex]!
    calls.push({ call: { method: http, url, chain: { [method]: block } }, index: callIndex })
  }
  const registry = new Registry(options.variables ?? null, options.scopes ?? [])
  for (const { call } of calls) {
    for (const key of Object.keys(call.chain.store ?? {})) {
      const target = readStoreKey(key, options.scopes)
      if (target.kind === 'writeback' && target.foreignScope === null) registry.addWrittenBack(target.name)
    }
  }
  const assigned = new Set<string>()
  for (const { call, index } of calls) {
    checkConfig(call, index, report, { maxRedirects: 10, maxTimeoutMs: 300_000, ...definedOf(options) })
    checkChain(call, index, report, assigned, registry)
    checkExpressions(call, index, report, registry, options.hasPrev ?? false)
  }
  for (const rule of options.rules ?? []) {
    rule(read.ast, ({ node, ...problem }) => {
      if (findings.length < MAX_FINDINGS) findings.push({ ...problem, offset: read.offsetOf(node) })
    })
  }
  if (read.ast.calls.length > MANY_CALLS) {
    report('HIGH_CALL_COUNT', null, undefined, null, () => `the script has ${read.ast.calls.length} calls`, null)
  }
  return findings
}

function definedOf(options: ValidateOptions): { maxRedirects?: number; maxTimeoutMs?: number } {
  const limits: { maxRedirects?: number; maxTimeoutMs?: number } = {}
  if (options.maxRedirects !== undefined) limits.maxRedirects = options.maxRedirects
  if (options.maxTimeoutMs !== undefined) limits.maxTimeoutMs = options.maxTimeoutMs
  return limits
}
