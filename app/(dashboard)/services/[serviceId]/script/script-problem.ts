import { problemOf } from '../../../../client/problem.ts'
import type { Mark } from '../../../../components/script-editor/marks.ts'

export type ScriptProblem = Mark & { code: string; callIndex: number | null; field: string | null }

/** Returns the problems in the script that a refused save lists. Empty if the save was refused for another reason. */
export function problemsOf(error: unknown): ScriptProblem[] {
  if (!error) return []
  const { errors } = problemOf(error).details
  if (!Array.isArray(errors)) return []
  return errors.map((entry: Record<string, unknown>) => ({
    code: String(entry.code ?? ''),
    callIndex: typeof entry.callIndex === 'number' ? entry.callIndex : null,
    field: typeof entry.field === 'string' ? entry.field : null,
    message: typeof entry.detail === 'string' ? entry.detail : String(entry.code ?? 'not accepted'),
    line: typeof entry.line === 'number' ? entry.line : null,
    column: typeof entry.column === 'number' ? entry.column : null,
  }))
}
