import type { Script } from '../../../language/lace/ast.ts'
import { referencesOf } from '../../../language/lace/references.ts'
import type { Assignment } from '../../../schemas/agents/protocol.ts'
import { SCRIPT_SCOPES, type ScriptScope } from '../../../scripts/script-scopes.ts'
import type { VariableScopes } from '../../../scripts/variable-scopes.ts'

export type Referred = { variables: Assignment['variables']; usesPrev: boolean }

/**
 * Returns the variables that a script refers to, and no others: a remote agent must not receive what its runs do not need.
 * A script that names a scope as a whole refers to all of it.
 */
export function referredVariables(ast: Script | null, scopes: VariableScopes): Referred {
  const values = noValues()
  const names = new Set<string>()
  if (ast === null) return { variables: { values, secrets: [], restrictedSecrets: [] }, usesPrev: false }
  const { variables, usesPrev } = referencesOf(ast, SCRIPT_SCOPES)
  for (const { name, path } of variables) {
    const scope = SCRIPT_SCOPES.find((known) => known === name)
    if (!scope) continue
    const [step] = path
    const keys = step?.type === 'field' ? [step.name] : Object.keys(scopes.values[scope])
    for (const key of keys) addKey(scopes, scope, key, values, names)
  }
  const secrets = [...names].filter((name) => isSecret(scopes, name)).map((name) => readValue(scopes, name))
  return {
    variables: {
      values,
      secrets: [...new Set(secrets)].filter((value) => value !== ''),
      restrictedSecrets: scopes.restrictedSecrets.filter(({ name }) => names.has(name)),
    },
    usesPrev,
  }
}

function addKey(
  scopes: VariableScopes,
  scope: ScriptScope,
  key: string,
  values: VariableScopes['values'],
  names: Set<string>,
): void {
  if (!Object.hasOwn(scopes.values[scope], key)) return
  values[scope][key] = scopes.values[scope][key] ?? null
  names.add(`${scope}.${key}`)
}

function isSecret({ kindOf }: VariableScopes, name: string): boolean {
  return kindOf(name.slice(0, 1), name.slice(2)) === 'secret'
}

function readValue({ values }: VariableScopes, name: string): string {
  return String(values[name.slice(0, 1) as ScriptScope][name.slice(2)])
}

/** Objects without a prototype, so that any key is safe. */
function noValues(): VariableScopes['values'] {
  const values = Object.create(null) as VariableScopes['values']
  for (const scope of SCRIPT_SCOPES) values[scope] = Object.create(null)
  return values
}
