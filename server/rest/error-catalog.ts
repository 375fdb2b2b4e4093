import type { ErrorCode, PublicErrorCode } from '../errors.ts'
import { ServiceId } from '../schemas/conventions.ts'

/** The JSON schemas of the fields of `details`, all of them optional. Which code has which is in `CATALOG`. */
export const DETAILS = {
  field: {
    type: 'string',
    description: 'The parameter or body field that the error is about.',
    examples: ['script'],
  },
  reason: {
    type: 'string',
    description: 'What is wrong with the field, in words for people.',
    examples: ['targets a private address'],
  },
  max: { type: 'integer', description: 'The upper bound.', examples: [100] },
  id: {
    type: 'string',
    description: 'The id of the existing resource, where the caller may see it.',
    examples: [ServiceId.meta()?.example],
  },
  key: { type: 'string', description: 'The key of the variable.', examples: ['name'] },
  callIndex: {
    type: 'integer',
    description: 'The index of the call that the error is about, from 0.',
    examples: [0],
  },
  hosts: {
    type: 'array',
    items: { type: 'string' },
    description: 'The unverified hosts that the script targets.',
    examples: [['shop.example']],
  },
  version: { type: 'integer', description: 'The current version of the service.', examples: [18] },
  maxBytes: { type: 'integer', description: 'The maximum size in bytes.', examples: [1_048_576] },
  unknown: {
    type: 'array',
    items: { type: 'string' },
    description: 'Slugs that are unknown, inactive or not visible to the caller.',
    examples: [['frankfurt']],
  },
  errors: {
    type: 'array',
    description: 'Every problem of the script, or the first 20 wrong fields of the body when there are several.',
    items: {
      type: 'object',
      required: ['code'],
      properties: {
        code: {
          type: 'string',
          description:
            'A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host ' +
            'that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, ' +
            'the error code.',
          examples: ['SECRET_HOST_NOT_ALLOWED'],
        },
        callIndex: {
          type: ['integer', 'null'],
          description: 'The index of the call, from 0; null without one.',
          examples: [0],
        },
        field: { type: ['string', 'null'], description: 'The field; null without one.', examples: ['url'] },
        reason: {
          type: 'string',
          description: 'What is wrong with the field of the body, in words for people.',
          examples: ['must be a string'],
        },
        detail: {
          type: ['string', 'null'],
          description: 'What is wrong in the script, in words for people.',
          examples: ['the secret $s.token would be sent to shop.example'],
        },
        line: { type: ['integer', 'null'], description: 'Line of the script, from 1.', examples: [3] },
        column: { type: ['integer', 'null'], description: 'Column of the line, from 1.', examples: [5] },
      },
    },
  },
} as const

export type DetailName = keyof typeof DETAILS

type CatalogEntry = { meaning: string; details?: DetailName[] }

const ENTRIES: Record<PublicErrorCode, CatalogEntry> = {
  field_invalid: {
    meaning: 'A parameter or a checked value is not accepted.',
    details: ['field', 'reason', 'max', 'errors', 'unknown'],
  },
  field_required: { meaning: 'A required parameter or checked value is missing.', details: ['field', 'errors'] },
  invalid_uuid: { meaning: 'An id is not a UUID.', details: ['field', 'errors'] },
  invalid_request_body: {
    meaning: 'The body is not a JSON object, or one of its fields is not accepted.',
    details: ['field', 'reason', 'errors'],
  },
  invalid_path: { meaning: 'The path is not in its canonical form.' },
  blocked_probe_target: {
    meaning:
      'The script targets a URL that probes must not request: one with a private, loopback or reserved address, an ' +
      'address of the server itself, an internal name, a scheme other than http and https, a port of another protocol ' +
      '(the bad ports of the Fetch standard), or a user name or password. `details.reason` says which.',
    details: ['field', 'reason', 'callIndex'],
  },
  unverified_domain_call_limit: {
    meaning: 'The script makes more than three calls while it targets an unverified domain.',
    details: ['field', 'reason', 'max', 'hosts'],
  },
  unverified_domain_includes: {
    meaning: 'The script uses an includes check while it targets an unverified domain.',
    details: ['field', 'reason', 'hosts'],
  },
  unverified_domain_interval: {
    meaning: 'The schedule runs more often than every five minutes while the script targets an unverified domain.',
    details: ['field', 'reason', 'hosts'],
  },
  variable_limit_reached: { meaning: 'The scope has reached its limit of variables.', details: ['max'] },
  silence_limit_reached: { meaning: 'The caller has as many silences as a member may have.', details: ['max'] },
  note_limit_reached: { meaning: 'The incident has as many notes as it may have.', details: ['max'] },
  run_limit_reached: { meaning: 'As many runs with values wait for the service as may.', details: ['max'] },
  reserved_key: { meaning: 'The key is the name of a computed variable of the scope.', details: ['key'] },
  readonly_variable: { meaning: 'Only scripts can write this variable.', details: ['key'] },
  system_variable: {
    meaning: 'Soundline creates this variable for every service; it cannot be deleted.',
    details: ['key'],
  },
  bad_request: { meaning: 'The request is not valid HTTP/1.1 with one Host header.' },
  missing_auth_header: { meaning: 'The request has no Authorization header.' },
  invalid_token: { meaning: 'The Authorization header has no bearer token.' },
  invalid_api_key: { meaning: 'No key matches the token.' },
  api_key_revoked: { meaning: 'The key was revoked, which is permanent.' },
  api_key_expired: { meaning: 'The key has expired.' },
  api_key_owner_inactive: { meaning: "The member's membership or account is disabled or was removed." },
  api_key_read_only: { meaning: 'A read key sent a method other than GET or HEAD.' },
  totp_enrollment_required: {
    meaning: 'The organization or a group requires two-factor authentication, and the member has not enrolled.',
  },
  insufficient_permissions: { meaning: 'The member lacks the organization permission that the endpoint requires.' },
  not_found: { meaning: 'The resource does not exist, or the member may not see or change it.', details: ['field'] },
  method_not_allowed: { meaning: 'The path has no such method; the `Allow` header lists those that it has.' },
  request_timeout: { meaning: 'The request was not complete in time.' },
  already_exists: { meaning: 'A resource with this name or key already exists.', details: ['field', 'id'] },
  version_conflict: { meaning: 'The version is not the current one.', details: ['field', 'version'] },
  service_inactive: { meaning: 'The service is switched off.' },
  script_missing: { meaning: 'The service has no script.' },
  run_started: { meaning: 'All agents of the run have started or ended.' },
  binding_exists: { meaning: 'The webhook is already bound to the resource.', details: ['field', 'id'] },
  idempotency_mismatch: { meaning: 'The `Idempotency-Key` was used for another request within 24 hours.' },
  idempotency_in_progress: {
    meaning: 'The first request with this `Idempotency-Key` still runs; wait for Retry-After seconds.',
  },
  length_required: { meaning: 'The body of a request for a page has no declared length.' },
  body_gone: { meaning: 'A body was recorded, but it is no longer stored. Do not retry.' },
  body_too_large: { meaning: 'The stored body is too large to be served inline.', details: ['maxBytes'] },
  request_body_too_large: { meaning: 'The request body is over the limit.', details: ['maxBytes'] },
  rate_limited: { meaning: 'The key is over its rate limit; wait for Retry-After seconds.' },
  too_many_unknown_keys: {
    meaning: 'The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.',
  },
  request_headers_too_large: { meaning: 'The headers or the request target are over 16 KiB.' },
  internal_error: { meaning: 'The server failed.' },
  service_unavailable: {
    meaning:
      'The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect.',
  },
  body_store_unavailable: { meaning: 'The body store did not respond in time; wait for Retry-After seconds.' },
}

/** The meaning of each code of the public API and of the front, and the fields of its `details`. */
export const CATALOG: Partial<Record<ErrorCode, CatalogEntry>> = ENTRIES
