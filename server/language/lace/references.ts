import type { BodyValue, Call, Expr, Method, PathSegment, Script } from './ast.ts'
import { parseTemplate, resolveTemplate, type TemplateRef } from './interpolation.ts'
import { MAX_URL_LENGTH } from './request-limits.ts'
import { readStoreKey } from './store-key.ts'
import { expressionsOf, visitExpr } from './walk.ts'

export type VariableReference = {
  /** Without the `$`. */
  name: string
  path: PathSegment[]
  /** As written: `$base`, `${$s.base}`. */
  text: string
  callIndex: number
}

export type CallReferences = { index: number; method: Method /** The template, not interpolated. */; url: string }

export type ScriptReferences = {
  calls: CallReferences[]
  /** Each use of a script variable, in expressions and in templates. */
  variables: VariableReference[]
  /** Each use of a run variable (`$$name`). */
  runVariables: VariableReference[]
  /** Names that `.store()` writes back, each once. */
  writtenBack: string[]
  /** Names of run variables that `.store()` assigns, each once. */
  assigned: string[]
  /** Whether the assert function `includes` is called. */
  usesIncludes: boolean
  usesPrev: boolean
}

/** Returns the variables, functions and calls that a script refers to, from its tree only. */
export function referencesOf(ast: Script, scopes: Iterable<string> = []): ScriptReferences {
  const knownScopes = new Set(scopes)
  const references: ScriptReferences = {
    calls: [],
    variables: [],
    runVariables: [],
    writtenBack: [],
    assigned: [],
    usesIncludes: false,
    usesPrev: false,
  }
  const writtenBack = new Set<string>()
  const assigned = new Set<string>()
  ast.calls.forEach((call, index) => {
    references.calls.push({ index, method: call.method, url: call.url })
    for (const text of templatesOf(call)) {
      for (const ref of variablesIn(text, knownScopes)) addReference(references, { ...ref, callIndex: index })
    }
    for (const { expr } of expressionsOf(call, index))
      visitExpr(expr, (inner) => addExpr(references, inner, index, knownScopes))
    for (const key of Object.keys(call.chain.store ?? {})) {
      const target = readStoreKey(key, knownScopes)
      ;(target.kind === 'run' ? assigned : writtenBack).add(target.name)
    }
  })
  return { ...references, writtenBack: [...writtenBack], assigned: [...assigned] }
}

/** Returns the templates of a call that are not expressions: its URL and a raw body. */
export function templatesOf(call: Call): string[] {
  const body: BodyValue | undefined = call.config?.body
  return body?.type === 'raw' ? [call.url, body.value] : [call.url]
}

export function variablesIn(text: string, scopes: Iterable<string>): TemplateRef[] {
  return parseTemplate(text, scopes).filter((part) => part.kind !== 'text')
}

function addReference(references: ScriptReferences, ref: TemplateRef & { callIndex: number }): void {
  const { kind, ...reference } = ref
  ;(kind === 'run' ? references.runVariables : references.variables).push(reference)
}

function addExpr(references: ScriptReferences, expr: Expr, callIndex: number, scopes: Set<string>): void {
  if (expr.kind === 'scriptVar' || expr.kind === 'runVar') {
    const kind = expr.kind === 'runVar' ? 'run' : 'script'
    const path = expr.path ?? []
    addReference(references, { kind, name: expr.name, path, text: printVariable(expr.name, path, kind), callIndex })
  } else if (expr.kind === 'literal' && expr.valueType === 'string') {
    for (const ref of variablesIn(String(expr.value), scopes)) addReference(references, { ...ref, callIndex })
  } else if (expr.kind === 'prevRef') references.usesPrev = true
  else if (expr.kind === 'funcCall' && expr.name === 'includes') references.usesIncludes = true
}

export function printVariable(name: string, path: PathSegment[], kind: 'script' | 'run'): string {
  const steps = path.map((step) => (step.type === 'field' ? `.${step.name}` : `[${step.index}]`))
  return `${kind === 'run' ? '$$' : '$'}${name}${steps.join('')}`
}

export type StaticTarget =
  /** The host is known. In path and query, a placeholder stands for run variables. */
  | { kind: 'known'; url: string }
  /** The scheme, host or port depends on run variables. */
  | { kind: 'dynamic' }
  /** A variable of the URL has no value. */
  | { kind: 'missing'; variables: TemplateRef[] }
  /** Longer than a URL may be. */
  | { kind: 'tooLong' }

const PLACEHOLDER = '0'

/**
 * Returns the target of a call as far as it is known before the run. `lookup` returns a variable's value as a string.
 */
export function staticTarget(
  url: string,
  lookup: (ref: TemplateRef) => string | null | undefined,
  scopes: Iterable<string> = [],
): StaticTarget {
  const { parts, length, missing } = resolveTemplate(url, lookup, scopes)
  if (missing.length > 0) return { kind: 'missing', variables: missing }
  if (length > MAX_URL_LENGTH) return { kind: 'tooLong' }
  let text = ''
  let isHostKnown = false
  for (const part of parts) {
    isHostKnown ||= part.text === null && isAuthorityComplete(text)
    if (part.text === null && !isHostKnown) return { kind: 'dynamic' }
    text += part.text ?? PLACEHOLDER
  }
  return { kind: 'known', url: text }
}

/** Returns true when a suffix cannot change the host: the text goes beyond the slash that ends the authority. */
function isAuthorityComplete(text: string): boolean {
  return /^[\s\0-\x1f]*[A-Za-z][A-Za-z0-9+.-]*:[\\/]{2,}[^\\/?#]+[\\/?#]/.test(text)
}
