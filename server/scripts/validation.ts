import { ApiError, fieldInvalid } from '../errors.ts'
import type { Script } from '../lace/ast.ts'
import type { LaceError } from '../lace/errors.ts'
import { validateScript } from '../lace/validator.ts'
import { findIntervalViolation, findTargets, findViolation, type Refusal } from './policy.ts'
import { scriptRules } from './rules.ts'
import { SCRIPT_SCOPES, type VariableScopes } from './variable-scopes.ts'
import type { Trust } from './verified-domains.ts'

// A script is judged twice: when it is saved, from its text and the variables there are, and when it is switched on,
// with every variable that it names.

/** Bounds of a run that a script may not exceed on its own. */
const LIMITS = { maxRedirects: 10, maxTimeoutMs: 60_000, hasPrev: true }

/** What judging a script needs to know of its service. */
export type ScriptContext = {
  script: string
  schedule: string
  isActive: boolean
  scopes: VariableScopes
  trust: Trust
}

/**
 * Judges a script for saving. Every scoped name counts as registered; what is sent is measured, and a target judged, where its variables have
 * values, and otherwise counts as unverified if the service is on: nothing would judge it later. Returns the hosts it
 * targets, as `services.targetHosts` keeps them.
 * @throws ApiError `field_invalid` on `script` with every problem, `blocked_probe_target`, `unverified_domain_*`
 */
export function validateForSave(subject: ScriptContext): string[] {
  return checkTargets(parseScript(subject.script, null, subject.scopes), subject)
}

/**
 * Judges a script for switching its service on: as for saving, and every name it reads must exist.
 * @throws ApiError as `judgeSave`, with `VARIABLE_UNKNOWN` among the problems
 */
export function validateForEnable(subject: ScriptContext): string[] {
  const { values } = subject.scopes
  const variables = Object.fromEntries(SCRIPT_SCOPES.map((scope) => [scope, Object.keys(values[scope])]))
  return checkTargets(parseScript(subject.script, variables, subject.scopes), { ...subject, isActive: true })
}

/**
 * Judges a new schedule of a service whose script was saved before. Nothing else of the script is held against it.
 * @throws ApiError `unverified_domain_interval`
 */
export function validateSchedule(subject: ScriptContext): void {
  const { ast } = validateScript(subject.script, { ...LIMITS, scopes: SCRIPT_SCOPES })
  if (ast) refuse(findIntervalViolation(findTargets(ast, subject).targets, subject.schedule))
}

/**
 * Reads a script by the rules of the language and of the platform.
 * @throws ApiError `field_invalid` on `script`; `details.errors` lists every problem, `details.reason` says the first
 */
function parseScript(script: string, variables: Record<string, string[]> | null, scopes: VariableScopes): Script {
  const rules = scriptRules(scopes)
  const { ast, errors } = validateScript(script, { ...LIMITS, scopes: SCRIPT_SCOPES, variables, rules })
  if (ast !== null && errors.length === 0) return ast
  throw fieldInvalid('script', errors[0]?.detail ?? 'the script cannot be read', { errors: errors.map(present) })
}

function checkTargets(ast: Script, subject: ScriptContext): string[] {
  const { targets, blocked } = findTargets(ast, subject)
  refuse(blocked ?? findViolation(ast, targets, subject.schedule))
  return [...new Set(targets.flatMap((target) => target.shownHost ?? []))]
}

function refuse(refusal: Refusal | null): void {
  if (refusal) throw new ApiError(refusal.code, refusal.details)
}

function present({ code, callIndex, field, detail, line, column }: LaceError) {
  return { code, callIndex, field, detail, line, column }
}

export type Validation = { targetHosts: string[]; refusal: null } | { targetHosts: null; refusal: ApiError }

/** What judging came to, for callers that go on after a refusal. */
export function validationOf(judge: () => string[]): Validation {
  try {
    return { targetHosts: judge(), refusal: null }
  } catch (error) {
    if (error instanceof ApiError) return { targetHosts: null, refusal: error }
    throw error
  }
}
