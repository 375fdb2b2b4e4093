import type { Call, Expr, Script } from '../language/lace/ast.ts'
import { variablesIn } from '../language/lace/references.ts'
import { readStoreKey } from '../language/lace/store-key.ts'
import { visitExpr } from '../language/lace/walk.ts'
import type { SecretMask } from './allowed-hosts.ts'
import { SCRIPT_SCOPES } from './script-scopes.ts'

// Data-flow analysis: which secrets a call sends, by the text of the script. A run also compares values, but a value does
// not reveal every secret: not one of two characters, nor a number that was used in a calculation.

/** The secrets in each part of a call's request; headers by lower-case name. */
export type CallFlow = {
  url: SecretMask
  headers: ReadonlyMap<string, SecretMask>
  cookies: SecretMask
  body: SecretMask
}

const SCOPES = new Set<string>(SCRIPT_SCOPES)
/** Usually enough, because stored values mostly depend on earlier ones. */
const PASSES_MAX = 8

/**
 * Returns the secrets that each call of a script sends, also through `$$x`, a write-back or `prev`. `secrets` are names
 * as in scripts without the `$` (`p.token`); a mask has the bit of each secret's index.
 */
export function readFlows(ast: Script, secrets: readonly string[]): CallFlow[] {
  const holds = trackSecrets(ast, secrets)
  return ast.calls.map(({ url, config }) => {
    const body = config?.body
    const headers = new Map<string, SecretMask>()
    for (const [name, expr] of Object.entries(config?.headers ?? {})) {
      const lower = name.toLowerCase()
      headers.set(lower, (headers.get(lower) ?? 0n) | holds(namesIn(expr)))
    }
    return {
      url: holds(namesInText(url)),
      headers,
      cookies: Object.values(config?.cookies ?? {}).reduce((mask, expr) => mask | holds(namesIn(expr)), 0n),
      body: body ? holds(body.type === 'raw' ? namesInText(body.value) : namesIn(body.value)) : 0n,
    }
  })
}

/** Returns a lookup: which secrets an expression over the given names may contain. */
function trackSecrets(ast: Script, secrets: readonly string[]): (names: string[]) => SecretMask {
  const held = new Map<string, SecretMask>()
  const add = (name: string, mask: SecretMask) => {
    const before = held.get(name) ?? 0n
    held.set(name, before | mask)
    return (before | mask) !== before
  }
  for (const [index, secret] of secrets.entries()) {
    add(secret, 1n << BigInt(index))
    // A script can name a scope as a whole.
    add(secret.slice(0, secret.indexOf('.')), 1n << BigInt(index))
  }
  const holds = (names: string[]) => names.reduce((mask, name) => mask | (held.get(name) ?? 0n), 0n)

  const stored = ast.calls.flatMap(storedValues)
  // A value can depend on one that a later call stores, because the next run reads it.
  let isNew = true
  for (let pass = 0; isNew && pass < PASSES_MAX; pass++) {
    isNew = false
    for (const { name, names } of stored) {
      const mask = holds(names)
      if (mask === 0n) continue
      const changes = [add(name, mask), add('prev', mask)]
      isNew ||= changes.includes(true)
    }
  }
  // Longer chains are not followed: then every stored value counts as containing all secrets found so far.
  if (isNew) for (const { name } of stored) add(name, held.get('prev') ?? 0n)
  return holds
}

/** The values that a call stores, as `$$x` or as a write-back `s.x`, and the names in their expressions. */
function storedValues(call: Call): { name: string; names: string[] }[] {
  return Object.entries(call.chain.store ?? {}).map(([key, { value }]) => {
    const target = readStoreKey(key, SCRIPT_SCOPES)
    return { name: target.kind === 'run' ? `$$${target.name}` : `s.${target.name}`, names: namesIn(value) }
  })
}

function namesIn(expr: Expr): string[] {
  const names: string[] = []
  visitExpr(expr, (inner) => {
    if (inner.kind === 'scriptVar') names.push(variable(inner.name, inner.path?.[0]))
    else if (inner.kind === 'runVar') names.push(`$$${inner.name}`)
    else if (inner.kind === 'prevRef') names.push('prev')
    else if (inner.kind === 'literal' && typeof inner.value === 'string') names.push(...namesInText(inner.value))
  })
  return names
}

function namesInText(text: string): string[] {
  return variablesIn(text, SCOPES).map(({ kind, name, path }) =>
    kind === 'run' ? `$$${name}` : variable(name, path[0]),
  )
}

function variable(scope: string, step: { type: 'field'; name: string } | { type: 'index' } | undefined): string {
  return step?.type === 'field' ? `${scope}.${step.name}` : scope
}
