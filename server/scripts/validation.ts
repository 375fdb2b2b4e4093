import { ApiError, fieldInvalid } from '../errors.ts'
import type { Script } from '../language/lace/ast.ts'
import type { LaceError } from '../language/lace/errors.ts'
import { validateScript } from '../language/lace/validator.ts'
import { SCRIPT_LIMITS } from '../schemas/scripts/limits.ts'
import {
  findIntervalViolation,
  findTargets,
  findViolation,
  type HiddenKinds,
  type Refusal,
  type Target,
  unverifiedHosts,
} from './policy.ts'
import { scriptRules } from './rules.ts'
import { SCRIPT_SCOPES } from './script-scopes.ts'
import type { VariableScopes } from './variable-scopes.ts'
import type { Trust } from './verified-domains.ts'

// A script is validated when it is saved, with the variables that exist then, and again when its service is switched on,
// when every variable that it names must exist.

/** The facts about a service that the validation of its script needs. */
export type ScriptContext = {
  script: string
  schedule: string
  isActive: boolean
  scopes: VariableScopes
  trust: Trust
  /** The kinds of variables whose values the answer may not show; secrets when absent. */
  hidden?: HiddenKinds
}

/**
 * Validates a script for saving. Unknown variables are allowed. A target whose variables have no values yet counts as
 * unverified if the service is on, because it would not be checked later.
 * @returns the hosts that the script targets, for `services.targetHosts`
 * @throws ApiError `field_invalid` on `script` with every problem, `blocked_probe_target`, `unverified_domain_*`
 */
export function validateForSave(context: ScriptContext): string[] {
  return checkTargets(parseScript(context, null), context)
}

/**
 * Validates a script for switching its service on: as for saving, but every variable that it names must exist.
 * @returns the hosts that the script targets, for `services.targetHosts`
 * @throws ApiError as `validateForSave`, with `VARIABLE_UNKNOWN` among the problems
 */
export function validateForEnable(context: ScriptContext): string[] {
  const { values } = context.scopes
  const variables = Object.fromEntries(SCRIPT_SCOPES.map((scope) => [scope, Object.keys(values[scope])]))
  return checkTargets(parseScript(context, variables), { ...context, isActive: true })
}

/**
 * Validates a new schedule against a script that is saved already. Other problems of the script are ignored.
 * @throws ApiError `unverified_domain_interval`
 */
export function validateSchedule(context: ScriptContext): void {
  const { ast } = validateScript(context.script, { ...SCRIPT_LIMITS, scopes: SCRIPT_SCOPES })
  if (ast) refuse(findIntervalViolation(findTargets(ast, context).targets, context.schedule))
}

/**
 * Validates the targets of a script that is saved already against where it may run now. Other problems are ignored.
 * @throws ApiError `blocked_probe_target`, `unverified_domain_*`
 */
export function validateTargets(context: ScriptContext): string[] {
  const { ast } = validateScript(context.script, { ...SCRIPT_LIMITS, scopes: SCRIPT_SCOPES })
  return ast ? checkTargets(ast, context) : []
}

/** Returns the hosts that a script that is saved already targets, whether or not it may run there. */
export function targetHostsOf(context: ScriptContext): string[] {
  const { ast } = validateScript(context.script, { ...SCRIPT_LIMITS, scopes: SCRIPT_SCOPES })
  return ast ? shownHosts(findTargets(ast, context).targets) : []
}

/** Returns the hosts of a script to which the limits of unverified domains apply, as far as they may be shown. */
export function unverifiedHostsOf(context: ScriptContext): string[] {
  const { ast } = validateScript(context.script, { ...SCRIPT_LIMITS, scopes: SCRIPT_SCOPES })
  return ast ? unverifiedHosts(findTargets(ast, context).targets) : []
}

/**
 * Parses a script by the rules of the language and of the platform.
 * @throws ApiError `field_invalid` on `script`; `details.errors` lists every problem, `details.reason` is the first
 */
function parseScript({ script, scopes, hidden }: ScriptContext, variables: Record<string, string[]> | null): Script {
  const rules = scriptRules(scopes, hidden)
  const { ast, errors } = validateScript(script, { ...SCRIPT_LIMITS, scopes: SCRIPT_SCOPES, variables, rules })
  if (ast !== null && errors.length === 0) return ast
  throw fieldInvalid('script', errors[0]?.detail ?? 'must be a valid script', { errors: errors.map(present) })
}

function checkTargets(ast: Script, context: ScriptContext): string[] {
  const { targets, blocked } = findTargets(ast, context)
  refuse(blocked ?? findViolation(ast, targets, context.schedule))
  return shownHosts(targets)
}

function shownHosts(targets: Target[]): string[] {
  return [...new Set(targets.flatMap((target) => target.shownHost ?? []))]
}

function refuse(refusal: Refusal | null): void {
  if (refusal) throw new ApiError(refusal.code, refusal.details)
}

function present({ code, callIndex, field, detail, line, column }: LaceError) {
  return { code, callIndex, field, detail, line, column }
}

export type Validation = { targetHosts: string[]; refusal: null } | { targetHosts: null; refusal: ApiError }

/** Runs a validation and returns its refusal instead of throwing it, for callers that continue after a refusal. */
export function validationOf(validate: () => string[]): Validation {
  try {
    return { targetHosts: validate(), refusal: null }
  } catch (error) {
    if (error instanceof ApiError) return { targetHosts: null, refusal: error }
    throw error
  }
}
