import { TRPCError } from '@trpc/server'
import { causesOf, isUnavailable, sqlErrorOf } from '#db/errors.ts'

/** The error codes of the public API and of the HTTP front, with their statuses. */
const PUBLIC_ERRORS = {
  field_invalid: 400,
  field_required: 400,
  invalid_uuid: 400,
  invalid_request_body: 400,
  invalid_path: 400,
  blocked_probe_target: 400,
  unverified_domain_call_limit: 400,
  unverified_domain_includes: 400,
  unverified_domain_interval: 400,
  variable_limit_reached: 400,
  silence_limit_reached: 400,
  note_limit_reached: 400,
  run_limit_reached: 400,
  reserved_key: 400,
  readonly_variable: 400,
  system_variable: 400,
  bad_request: 400,
  missing_auth_header: 401,
  invalid_token: 401,
  invalid_api_key: 401,
  api_key_revoked: 401,
  api_key_expired: 401,
  api_key_owner_inactive: 401,
  api_key_read_only: 403,
  totp_enrollment_required: 403,
  insufficient_permissions: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  already_exists: 409,
  version_conflict: 409,
  service_inactive: 409,
  script_missing: 409,
  run_started: 409,
  binding_exists: 409,
  idempotency_mismatch: 409,
  idempotency_in_progress: 409,
  body_gone: 410,
  length_required: 411,
  body_too_large: 413,
  request_body_too_large: 413,
  rate_limited: 429,
  too_many_unknown_keys: 429,
  request_headers_too_large: 431,
  internal_error: 500,
  body_store_unavailable: 503,
  service_unavailable: 503,
} as const satisfies Record<string, number>

/** The codes that the public API and the front in front of it answer with. */
export const PUBLIC_ERROR_CODES = Object.keys(PUBLIC_ERRORS) as PublicErrorCode[]

/** The codes that only the dashboard's own API uses. */
const DASHBOARD_ERRORS = {
  session_required: 401,
  invalid_credentials: 401,
  totp_required: 401,
  invalid_code: 401,
  cross_site_request: 403,
  wrong_host: 421,
  setup_complete: 409,
  setup_link_invalid: 403,
  invitation_invalid: 400,
  reset_invalid: 400,
  confirmation_invalid: 400,
  unsubscribe_invalid: 400,
  key_limit_reached: 400,
  organization_limit_reached: 400,
  token_limit_reached: 400,
  webhook_limit_reached: 400,
  follow_limit_reached: 400,
  agent_key_limit_reached: 400,
  last_owner: 409,
  last_organization: 409,
  body_store_in_use: 409,
  busy: 503,
} as const satisfies Record<string, number>

/** The codes that only remote agents get, under `/api/agent/v1`. */
export const AGENT_ERRORS = {
  invalid_signature: 401,
  replayed: 401,
  clock_skew: 401,
  enrolment_invalid: 401,
  agent_revoked: 403,
  lease_lost: 409,
  agent_too_old: 426,
} as const satisfies Record<string, number>

/** Every error code with its HTTP status. Schemas and document derive from it. */
export const ERRORS = { ...PUBLIC_ERRORS, ...DASHBOARD_ERRORS, ...AGENT_ERRORS }

export type PublicErrorCode = keyof typeof PUBLIC_ERRORS
export type AgentErrorCode = keyof typeof AGENT_ERRORS
export type ErrorCode = keyof typeof ERRORS

export type ErrorDetails = Record<string, unknown>

/**
 * The one error that operations throw: a code of the table, details for the caller, headers such as `Retry-After`.
 * `advice` replaces the code's message where code and details do not tell the caller enough.
 */
export class ApiError extends TRPCError {
  readonly api: ErrorCode
  readonly details: ErrorDetails | undefined
  readonly headers: Record<string, string>
  readonly advice: string | undefined

  constructor(api: ErrorCode, details?: ErrorDetails, headers: Record<string, string> = {}, advice?: string) {
    super({ code: trpcCode(ERRORS[api]), message: api })
    this.name = 'ApiError'
    this.api = api
    this.details = details
    this.headers = headers
    this.advice = advice
  }

  get status(): number {
    return ERRORS[this.api]
  }
}

/**
 * The resource does not exist, or the caller may not see or change it. Both get the same response on purpose. `field` is the
 * input that names the resource.
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
      // tRPC has no code for 410; the table above holds the real status.
      return status < 500 ? 'PRECONDITION_FAILED' : 'INTERNAL_SERVER_ERROR'
  }
}
