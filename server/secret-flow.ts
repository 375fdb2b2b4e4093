import type { Call, Expr, Script } from '#worker/lace/ast.ts'
import { variablesIn } from '#worker/lace/references.ts'
import { readStoreKey } from '#worker/lace/store-key.ts'
import { visitExpr } from '#worker/lace/walk.ts'
import { SCRIPT_SCOPES } from './variables.ts'

// Which secrets a call sends, by the text of the script alone. A run compares values as well, but some a value does not
// show: one of two characters, or a number that was calculated with.

/** Names of variables as scripts write them, without the `$`: `p.token`. A whole scope is its name alone, `p`. */
export type Names = ReadonlySet<string>

/** What each part of a call's request is made of; headers by lower-cased name. */
export type CallFlow = { url: Names; headers: ReadonlyMap<string, Names>; cookies: Names; body: Names }

const SCOPES = new Set<string>(SCRIPT_SCOPES)
const MOST_TURNS = 50

/** The variables that each call of a script sends, those that reach it through `$$x`, a write-back or `prev` included. */
export function readFlows(ast: Script): CallFlow[] {
  const stored = readStored(ast)
  return ast.calls.map((call) => flowOf(call, stored))
}

/** What stored names are made of: `$$x` as `$$x`, a write-back as `s.x`, the result before as `prev`. */
type Stored = Map<string, Set<string>>

/** A value may be stored from another one, of a later call even, which the next run then has: until nothing is new. */
function readStored(ast: Script): Stored {
  const stored: Stored = new Map()
  for (let turn = 0, isNew = true; isNew && turn < MOST_TURNS; turn++) {
    isNew = false
    for (const call of ast.calls) {
      for (const [key, { value }] of Object.entries(call.chain.store ?? {})) {
        const target = readStoreKey(key, SCRIPT_SCOPES)
        const made = namesIn(value, stored)
        for (const name of [target.kind === 'run' ? `$$${target.name}` : `s.${target.name}`, 'prev']) {
          const known = stored.get(name) ?? new Set()
          stored.set(name, known)
          for (const one of made) {
            isNew ||= !known.has(one)
            known.add(one)
          }
        }
      }
    }
  }
  return stored
}

function flowOf({ url, config }: Call, stored: Stored): CallFlow {
  const body = config?.body
  return {
    url: namesInText(url, stored),
    headers: new Map(
      Object.entries(config?.headers ?? {}).map(([name, expr]) => [name.toLowerCase(), namesIn(expr, stored)]),
    ),
    cookies: new Set(Object.values(config?.cookies ?? {}).flatMap((expr) => [...namesIn(expr, stored)])),
    body: body ? (body.type === 'raw' ? namesInText(body.value, stored) : namesIn(body.value, stored)) : new Set(),
  }
}

function namesIn(expr: Expr, stored: Stored): Set<string> {
  const names = new Set<string>()
  const add = (found: Iterable<string>) => {
    for (const name of found) names.add(name)
  }
  visitExpr(expr, (inner) => {
    if (inner.kind === 'scriptVar') add(variable(inner.name, inner.path?.[0], stored))
    else if (inner.kind === 'runVar') add(stored.get(`$$${inner.name}`) ?? [])
    else if (inner.kind === 'prevRef') add(stored.get('prev') ?? [])
    else if (inner.kind === 'literal' && inner.valueType === 'string') add(namesInText(String(inner.value), stored))
  })
  return names
}

function namesInText(text: string, stored: Stored): Set<string> {
  return new Set(
    variablesIn(text, SCOPES).flatMap((ref) =>
      ref.kind === 'run' ? [...(stored.get(`$$${ref.name}`) ?? [])] : variable(ref.name, ref.path[0], stored),
    ),
  )
}

type Step = { type: 'field'; name: string } | { type: 'index' } | undefined

function variable(scope: string, step: Step, stored: Stored): string[] {
  if (step?.type !== 'field') return [scope]
  const name = `${scope}.${step.name}`
  return [name, ...(stored.get(name) ?? [])]
}

/** Whether something made of `names` may hold the variable. */
export function holds(names: Names, variable: string): boolean {
  return names.has(variable) || names.has(variable.slice(0, variable.indexOf('.')))
}
