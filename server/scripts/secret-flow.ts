import type { Call, Expr, Script } from '../lace/ast.ts'
import { variablesIn } from '../lace/references.ts'
import { readStoreKey } from '../lace/store-key.ts'
import { visitExpr } from '../lace/walk.ts'
import type { SecretMask } from './allowed-hosts.ts'
import { SCRIPT_SCOPES } from './variable-scopes.ts'

// Which secrets a call sends, by the text of the script alone. A run compares values as well, but some a value does not
// show: one of two characters, or a number that was calculated with.

/** What each part of a call's request is made of; headers by lower-cased name. */
export type CallFlow = {
  url: SecretMask
  headers: ReadonlyMap<string, SecretMask>
  cookies: SecretMask
  body: SecretMask
}

const SCOPES = new Set<string>(SCRIPT_SCOPES)
/** Stored values are mostly made of those before them. */
const PASSES_MAX = 8

/**
 * The secrets, named as scripts name them without the `$` (`p.token`), that each call of a script sends; those that
 * reach it through `$$x`, a write-back or `prev` are among them.
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

/** Gives the secrets that something made of the names may hold. */
function trackSecrets(ast: Script, secrets: readonly string[]): (names: string[]) => SecretMask {
  const held = new Map<string, SecretMask>()
  const add = (name: string, mask: SecretMask) => {
    const before = held.get(name) ?? 0n
    held.set(name, before | mask)
    return (before | mask) !== before
  }
  for (const [index, secret] of secrets.entries()) {
    add(secret, 1n << BigInt(index))
    // A scope that is named as a whole.
    add(secret.slice(0, secret.indexOf('.')), 1n << BigInt(index))
  }
  const holds = (names: string[]) => names.reduce((mask, name) => mask | (held.get(name) ?? 0n), 0n)

  const stored = ast.calls.flatMap(storedValues)
  // A value may be made of one that a later call stores, which the next run then has.
  let isNew = true
  for (let turn = 0; isNew && turn < PASSES_MAX; turn++) {
    isNew = false
    for (const { name, names } of stored) {
      const mask = holds(names)
      if (mask === 0n) continue
      const changes = [add(name, mask), add('prev', mask)]
      isNew ||= changes.includes(true)
    }
  }
  // Longer chains are not followed: then each stored value counts as made of all that any is made of.
  if (isNew) for (const { name } of stored) add(name, held.get('prev') ?? 0n)
  return holds
}

/** What a call stores, `$$x` or a write-back `s.x`, and the names that it is made of. */
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
