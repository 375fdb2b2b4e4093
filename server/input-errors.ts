import type { TRPCError } from '@trpc/server'
import { type core, ZodError } from 'zod'
import { ApiError, type ErrorDetails } from './errors.ts'
import type { ErrorCode } from './schemas/errors/error-table.ts'
import './process/zod-messages.ts'
import { PAGE_ROWS_MAX, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './schemas/conventions.ts'

/** Where a field comes from. It decides between `field_*` and `invalid_request_body`. */
export type FieldLocation = 'path' | 'query' | 'body'

const ORDER: FieldLocation[] = ['path', 'query', 'body']

/**
 * Returns the contract's error for the first problem of input that a schema refused; null for any other error. `locate`
 * returns where a top-level field comes from; on the dashboard everything is body.
 */
export function describeInvalidInput(
  error: TRPCError,
  locate: (field: string) => FieldLocation = () => 'body',
  input: unknown = undefined,
): ApiError | null {
  if (error.code !== 'BAD_REQUEST' || !(error.cause instanceof ZodError)) return null
  return describeIssues(error.cause.issues, locate, input)
}

/**
 * Returns the error for the first issue, in the order path, query, body; when several body fields are wrong, its details
 * list them. A missing body field is `field_required` only when `requiredFields` names it.
 */
export function describeIssues(
  issues: readonly core.$ZodIssue[],
  locate: (field: string) => FieldLocation,
  input: unknown,
  requiredFields: readonly string[] = [],
): ApiError {
  const locationOf = (issue: core.$ZodIssue) => locate(String(issue.path[0] ?? ''))
  const rank = (issue: core.$ZodIssue) => ORDER.indexOf(locationOf(issue))
  const [first, ...others] = issues.toSorted((a, b) => rank(a) - rank(b))
  if (!first || first.path.length === 0) return new ApiError('invalid_request_body')
  const { api, details } = describeIssue(first, locate, input, requiredFields)
  if (locationOf(first) !== 'body') return new ApiError(api, details)
  const problems = new Map([[details.field, { code: api, ...details }]])
  for (const issue of others) {
    if (problems.size >= PROBLEMS_MAX) break
    const { api: code, details } = describeIssue(issue, locate, input, requiredFields)
    // A field can break several rules; the first one is enough.
    if (!problems.has(details.field)) problems.set(details.field, { code, ...details })
  }
  if (problems.size === 1) return new ApiError(api, details)
  const errors = [...problems.values()].map((problem) => ({ reason: REASONS[problem.code], ...problem }))
  return new ApiError(api, { ...details, errors })
}

/** The wrong body fields that one response names. */
const PROBLEMS_MAX = 20
/** The characters that an error repeats of a key, which the caller may have chosen. */
const FIELD_MAX = 80
/** For the codes whose details have no reason. */
const REASONS: Partial<Record<ErrorCode, string>> = { invalid_uuid: 'must be a UUID', field_required: 'is required' }

type Described = { api: ErrorCode; details: ErrorDetails & { field: string } }

function describeIssue(
  issue: core.$ZodIssue,
  locate: (field: string) => FieldLocation,
  input: unknown,
  requiredFields: readonly string[],
): Described {
  const field = issue.path.map((part) => String(part).slice(0, FIELD_MAX)).join('.')
  if (issue.code === 'invalid_format' && (issue.format === 'guid' || issue.format === 'uuid')) {
    return { api: 'invalid_uuid', details: { field } }
  }
  const isMissing = input !== undefined && valueAt(input, issue.path) === undefined
  if (locate(String(issue.path[0])) === 'body' && !(isMissing && requiredFields.includes(field))) {
    return { api: 'invalid_request_body', details: { field, reason: isMissing ? 'is required' : issue.message } }
  }
  if (isMissing) return { api: 'field_required', details: { field } }
  const reason = reasonOf(field, issue, input)
  return { api: 'field_invalid', details: { field, reason, ...upperBound(field, issue, input) } }
}

/** The schema's reason; for a `page` that is too high, the bound that its `pageSize` sets. */
function reasonOf(field: string, issue: core.$ZodIssue, input: unknown): string {
  return field === 'page' && issue.code === 'too_big' ? pageTooHigh(boundOf(field, input) as number) : issue.message
}

export function pageTooHigh(max: number): string {
  return `must be at most ${max} with this pageSize`
}

/** Returns the bound for `details`: of every refused `page` and `pageSize`, and of every number above its maximum. */
function upperBound(field: string, issue: core.$ZodIssue, input: unknown): ErrorDetails {
  const max = boundOf(field, input)
  if (max !== null) return { max }
  return issue.code === 'too_big' && issue.origin === 'number' ? { max: Number(issue.maximum) } : {}
}

/** Returns the maximum of `page` or `pageSize`, given the rest of the input; null for every other field. */
export function boundOf(field: string, input: unknown): number | null {
  if (field === 'pageSize') return PAGE_SIZE_MAX
  if (field === 'page') return pageMax((input as { pageSize?: unknown } | undefined)?.pageSize)
  return null
}

/** Returns the highest page for a page size; for the default size when the given one is not valid. */
export function pageMax(pageSize: unknown): number {
  const size = Number(pageSize)
  return Math.floor(
    PAGE_ROWS_MAX / (Number.isInteger(size) && size >= 1 && size <= PAGE_SIZE_MAX ? size : PAGE_SIZE_DEFAULT),
  )
}

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  )
}
