import { TRPCError } from '@trpc/server'
import { causesOf, isUnavailable, sqlErrorOf } from '#db/errors.ts'
import { ERRORS, type ErrorCode } from './schemas/errors/error-table.ts'

export type ErrorDetails = Record<string, unknown>

/**
 * The one error that operations throw: a code of the table, details for the caller, headers such as `Retry-After`.
 * `advice` replaces the code's action where code and details are not specific enough.
 */
export class ApiError extends TRPCError {
  readonly api: ErrorCode
  readonly details: ErrorDetails | undefined
  readonly headers: Record<string, string>
  readonly advice: string | undefined

  constructor(api: ErrorCode, details?: ErrorDetails, headers: Record<string, string> = {}, advice?: string) {
    super({ code: trpcCode(ERRORS[api].status), message: api })
    this.name = 'ApiError'
    this.api = api
    this.details = details
    this.headers = headers
    this.advice = advice
  }

  get status(): number {
    return ERRORS[this.api].status
  }
}

/**
 * The resource does not exist, or the caller may not see or change it. Both get the same response deliberately. `field`
 * is the input that names the resource.
 */
export function notFound(field?: string): ApiError {
  return new ApiError('not_found', field === undefined ? undefined : { field })
}

/** The database does not respond or its disk is full, or the server is overloaded. */
export function unavailable(retryAfterSeconds = 2): ApiError {
  return new ApiError('service_unavailable', undefined, { 'Retry-After': String(retryAfterSeconds) })
}

export function fieldInvalid(field: string, reason: string, details: ErrorDetails = {}): ApiError {
  return new ApiError('field_invalid', { field, reason, ...details })
}

export function fieldRequired(field: string): ApiError {
  return new ApiError('field_required', { field })
}

/**
 * Duplicate names and keys: the error code of each unique constraint that a caller can violate, by its name, and the field
 * that violates it. Operations do not check for duplicates first, except variables, where a duplicate comes before the limit.
 */
const CONFLICTS: Record<string, { code: ErrorCode; field: string }> = {
  workspaces_name_key: { code: 'already_exists', field: 'name' },
  projects_name_key: { code: 'already_exists', field: 'name' },
  services_name_key: { code: 'already_exists', field: 'name' },
  variables_key_key: { code: 'already_exists', field: 'key' },
  webhook_bindings_key: { code: 'binding_exists', field: 'webhookId' },
  webhooks_name_key: { code: 'already_exists', field: 'name' },
  groups_name_key: { code: 'already_exists', field: 'name' },
  project_tokens_name_key: { code: 'already_exists', field: 'name' },
  agents_slug_key: { code: 'already_exists', field: 'slug' },
  domains_domain_key: { code: 'already_exists', field: 'domain' },
  memberships_user_key: { code: 'already_exists', field: 'email' },
  passkeys_credential_key: { code: 'already_exists', field: 'passkey' },
  users_email_key: { code: 'already_exists', field: 'email' },
  agent_keys_public_key: { code: 'already_exists', field: 'publicKey' },
}

/**
 * Returns the error that a caller may see: an `ApiError` unchanged, a known constraint as its code, a row that was deleted
 * during a write as `not_found`, an unavailable database as `service_unavailable`, and everything else as
 * `internal_error` without details.
 */
export function toApiError(error: unknown): ApiError {
  const known = causesOf(error).find((cause) => cause instanceof ApiError)
  if (known) return known
  const { sqlState, constraint } = sqlErrorOf(error)
  // 40P01: the database ended this side of a deadlock, so the same request can succeed now.
  if (isUnavailable(error) || sqlState === '40P01') return unavailable()
  const conflict = sqlState === '23505' && constraint !== null ? CONFLICTS[constraint] : undefined
  if (conflict) return new ApiError(conflict.code, { field: conflict.field })
  // The parent was deleted between the check and the write.
  if (sqlState === '23503') return notFound()
  return new ApiError('internal_error')
}

function trpcCode(status: number): TRPCError['code'] {
  switch (status) {
    case 400:
      return 'BAD_REQUEST'
    case 401:
      return 'UNAUTHORIZED'
    case 403:
      return 'FORBIDDEN'
    case 404:
      return 'NOT_FOUND'
    case 405:
      return 'METHOD_NOT_SUPPORTED'
    case 409:
      return 'CONFLICT'
    case 413:
      return 'PAYLOAD_TOO_LARGE'
    case 429:
      return 'TOO_MANY_REQUESTS'
    case 503:
      return 'SERVICE_UNAVAILABLE'
    default:
      // tRPC has no code for 410; the table of errors holds the real status.
      return status < 500 ? 'PRECONDITION_FAILED' : 'INTERNAL_SERVER_ERROR'
  }
}
