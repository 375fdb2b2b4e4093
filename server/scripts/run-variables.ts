import { fieldInvalid } from '../errors.ts'
import type { RunValues } from '../schedule/run-values.ts'
import { SCRIPT_SCOPES } from './script-scopes.ts'
import { metricValue, type VariableKind, type VariableScopes } from './variable-scopes.ts'

// Values for one run alone, in place of those of variables.

/** Why a variable cannot have a value for one run. */
const REASONS: Record<Exclude<VariableKind, 'variable' | 'metric'>, string> = {
  secret: 'is a secret, and a run cannot bring secrets',
  system: 'is a system variable',
  computed: 'is computed and read-only',
}

/**
 * Reads the values of a request, whose names may begin with `$`, and checks that the service's script can have them. The
 * schema has checked the form of the names.
 * @throws ApiError `field_invalid` on `variables.<name>` as the caller wrote it
 */
export function readRunValues(given: Record<string, string>, scopes: VariableScopes): RunValues {
  const values = new Map<string, string>()
  for (const [written, value] of Object.entries(given)) {
    const name = written.replace('$', '')
    const reason = values.has(name) ? 'must be given once' : problemOf(name, scopes)
    if (reason) throw fieldInvalid(`variables.${written}`, reason)
    values.set(name, value)
  }
  return Object.fromEntries(values)
}

/** Returns why the values cannot be used any more, null when they can. Variables may change while a run waits. */
export function findStaleValue(values: RunValues, scopes: VariableScopes): string | null {
  for (const name of Object.keys(values)) {
    const problem = problemOf(name, scopes)
    if (problem) return `the variable $${name} ${problem}`
  }
  return null
}

/** Returns the variables of a service with these values in place of its own. */
export function withRunValues(scopes: VariableScopes, values: RunValues): VariableScopes {
  const replaced = Object.create(null) as VariableScopes['values']
  for (const scope of SCRIPT_SCOPES) {
    replaced[scope] = Object.assign(Object.create(null), scopes.values[scope])
  }
  for (const [name, text] of Object.entries(values)) {
    const { scope, key } = parseName(name)
    replaced[scope][key] = scopes.kindOf(scope, key) === 'metric' ? metricValue(text) : text
  }
  return { ...scopes, values: replaced }
}

function problemOf(name: string, scopes: VariableScopes): string | null {
  const { scope, key } = parseName(name)
  const kind = scopes.kindOf(scope, key)
  if (kind === null) return 'does not exist'
  return kind === 'variable' || kind === 'metric' ? null : REASONS[kind]
}

function parseName(name: string): { scope: (typeof SCRIPT_SCOPES)[number]; key: string } {
  return { scope: name.slice(0, 1) as (typeof SCRIPT_SCOPES)[number], key: name.slice(2) }
}
