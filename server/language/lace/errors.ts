import type { ChainMethod } from './ast.ts'

/** The codes of the language's public registry that an implementation of the core reports. */
export type LaceCode =
  | 'PARSE_ERROR'
  | 'AT_LEAST_ONE_CALL'
  | 'EMPTY_CHAIN'
  | 'CHAIN_ORDER'
  | 'CHAIN_DUPLICATE'
  | 'EMPTY_SCOPE_BLOCK'
  | 'EMPTY_ASSERT_BLOCK'
  | 'EMPTY_STORE_BLOCK'
  | 'THIS_OUT_OF_SCOPE'
  | 'PREV_WITHOUT_RESULTS'
  | 'UNKNOWN_FUNCTION'
  | 'EXPRESSION_SYNTAX'
  | 'VARIABLE_UNKNOWN'
  | 'RUN_VAR_REASSIGNED'
  | 'SCHEMA_VAR_UNKNOWN'
  | 'REDIRECTS_MAX_LIMIT'
  | 'TIMEOUT_MS_LIMIT'
  | 'TIMEOUT_RETRIES_REQUIRES_RETRY'
  | 'TIMEOUT_ACTION_INVALID'
  | 'CLEAR_COOKIES_WRONG_JAR'
  | 'COOKIE_JAR_NAMED_EMPTY'
  | 'COOKIE_JAR_FORMAT'
  | 'OP_VALUE_INVALID'
  | 'MAX_BODY_FORMAT'
  | 'EXT_FIELD_INACTIVE'
  | 'HIGH_CALL_COUNT'
  | 'FUNC_ARG_TYPE'
  /** Our own warning, not in the registry: `${s.base}` lacks its inner `$`, so it is not replaced. */
  | 'TEXT_NOT_INTERPOLATED'

/** A code of the language, or of a rule that the host program adds. */
export type ProblemCode = LaceCode | (string & Record<never, never>)

/** One problem of a script. `line` and `column` count from 1; null without source. */
export type LaceError = {
  code: ProblemCode
  /** Zero-based; null when the problem concerns the whole script. */
  callIndex: number | null
  chainMethod?: ChainMethod
  /** The subject: a config field (`timeout.ms`), an expect scope, or the name of a variable or function. */
  field: string | null
  detail: string
  line: number | null
  column: number | null
}

/** More would not help the reader, and each one may cost a search for a similar name. */
export const MAX_FINDINGS = 100

/** A problem with its offset in the source, before lines are counted. */
export type Finding = Omit<LaceError, 'line' | 'column'> & { offset: number | null }

/** Converts offsets to lines and columns. Duplicates are dropped; the order is that of the source. */
export function locate(findings: Finding[], source: string | null): LaceError[] {
  if (findings.length === 0) return []
  const starts = source === null ? null : lineStarts(source)
  const seen = new Set<string>()
  const errors: LaceError[] = []
  for (const { offset, ...rest } of [...findings].sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0))) {
    const key = [rest.code, rest.callIndex, rest.chainMethod, rest.field ?? `@${offset}`].join(' ')
    if (seen.has(key)) continue
    seen.add(key)
    errors.push({ ...rest, ...position(starts, offset) })
  }
  return errors
}

function lineStarts(source: string): number[] {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function position(starts: number[] | null, offset: number | null): { line: number | null; column: number | null } {
  if (starts === null || offset === null) return { line: null, column: null }
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - starts[low]! + 1 }
}
