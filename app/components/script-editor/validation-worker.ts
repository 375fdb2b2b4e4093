import { type Validation, validateScript } from '#server/language/lace/validator.ts'
import { SCRIPT_LIMITS } from '#server/schemas/scripts/limits.ts'
import type { Mark } from './marks.ts'
import type { ValidationReply, ValidationRequest } from './validation.ts'

// The validator of the server, in a thread of the browser. What depends on targets and values is checked by the server
// when the script is saved.

self.onmessage = ({ data }: MessageEvent<ValidationRequest>) => {
  const { id, script, scopes, names } = data
  const base = validateScript(script, { ...SCRIPT_LIMITS, scopes })
  // A script may be saved before its variables exist, so an unknown one is a warning.
  const known = names && base.ast ? validateScript(script, { ...SCRIPT_LIMITS, scopes, variables: names }) : base
  self.postMessage({ id, marks: marksOf(base, known) } satisfies ValidationReply)
}

function marksOf(base: Validation, known: Validation): Mark[] {
  const isKnown = (code: string, at: string) =>
    base.errors.some((error) => error.code === code && placeOf(error) === at)
  const missing = known.errors.filter((error) => !isKnown(error.code, placeOf(error)))
  return [
    ...base.errors.map((error) => toMark(error, 'error')),
    ...[...base.warnings, ...missing].map((warning) => toMark(warning, 'warning')),
  ]
}

function placeOf({ line, column }: { line: number | null; column: number | null }): string {
  return `${line}:${column}`
}

function toMark(problem: Validation['errors'][number], severity: 'error' | 'warning'): Mark {
  return { line: problem.line, column: problem.column, message: problem.detail, severity }
}
