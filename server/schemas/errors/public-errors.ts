import { aboutField, correct, type ErrorEntry, quoted } from './error-text.ts'

/** The codes of the public API and of the HTTP front before it. */
export const PUBLIC_ERRORS = {
  field_invalid: {
    status: 400,
    meaning: 'A parameter or a checked value is not accepted.',
    action: (details) => correct(details, 'its value is not accepted'),
    dashboard: (details) => aboutField(details, 'is not valid'),
    details: ['field', 'reason', 'max', 'errors', 'unknown'],
    example: { field: 'pageSize', reason: 'must be at most 100' },
  },
  field_required: {
    status: 400,
    meaning: 'A required parameter or checked value is missing.',
    action: ({ field }) => `Give ${quoted(field, 'the field')}: it is required.`,
    dashboard: (details) => aboutField(details, 'is required'),
    details: ['field', 'errors'],
    example: { field: 'projectId' },
  },
  invalid_uuid: {
    status: 400,
    meaning: 'An id is not a UUID.',
    action: ({ field }) => `Give a UUID in ${quoted(field, 'the id')}, as another response shows it.`,
    dashboard: 'This address contains an id that is not valid.',
    details: ['field', 'errors'],
    example: { field: 'id' },
  },
  invalid_request_body: {
    status: 400,
    meaning: 'The body is not a JSON object, or one of its fields is not accepted.',
    action: (details) => correct(details, 'the body must be a JSON object'),
    dashboard: (details) => aboutField(details, 'is not valid'),
    details: ['field', 'reason', 'errors'],
    example: { field: 'name', reason: 'must be a string' },
  },
  invalid_path: {
    status: 400,
    meaning: 'The path is not in its canonical form.',
    action:
      'Write the path in its canonical form: no encoded characters, no dot or empty segments, no slash at the end.',
    dashboard: 'This address is not valid.',
  },
  blocked_probe_target: {
    status: 400,
    meaning:
      'The script targets a URL that probes must not request: one with a private, loopback or reserved address, an ' +
      'address of the server itself, an internal name, a scheme other than http and https, a port of another protocol ' +
      '(the bad ports of the Fetch standard), or a user name or password. `details.reason` says which.',
    action: (details) => correct(details, 'probes reach only public http and https addresses'),
    dashboard: ({ reason }) =>
      `Services and webhooks may not send requests to this address: ${reason ?? 'private, loopback and internal addresses are blocked'}.`,
    details: ['field', 'reason', 'callIndex'],
  },
  unverified_domain_call_limit: {
    status: 400,
    meaning: 'The script makes more than three calls while it targets an unverified domain.',
    ...unverified('at most three calls'),
    details: ['field', 'reason', 'max', 'hosts'],
  },
  unverified_domain_includes: {
    status: 400,
    meaning: 'The script uses an includes check while it targets an unverified domain.',
    ...unverified('no includes check'),
    details: ['field', 'reason', 'hosts'],
  },
  unverified_domain_interval: {
    status: 400,
    meaning: 'The schedule runs more often than every five minutes while the script targets an unverified domain.',
    ...unverified('at most one run every five minutes'),
    details: ['field', 'reason', 'hosts'],
  },
  variable_limit_reached: {
    status: 400,
    meaning: 'The scope has reached its limit of variables.',
    action: ({ max }) => `Delete a variable first: ${atMost('a scope', max)}.`,
    details: ['max'],
  },
  silence_limit_reached: {
    status: 400,
    meaning: 'The member has reached the limit of silences.',
    action: ({ max }) => `Delete a silence first: ${atMost('a member', max)}.`,
    details: ['max'],
  },
  maintenance_limit_reached: {
    status: 400,
    meaning: 'The organization has reached its limit of maintenances that are on or planned.',
    action: ({ max }) => `End or delete a maintenance first: ${atMost('an organization', max)}.`,
    details: ['max'],
  },
  note_limit_reached: {
    status: 400,
    meaning: 'The incident has reached its limit of notes.',
    action: ({ max }) => `Add no more notes: ${atMost('an incident', max)}.`,
    details: ['max'],
  },
  run_limit_reached: {
    status: 400,
    meaning: 'The service has reached its limit of waiting runs with values.',
    action: ({ max }) => `Wait until earlier runs are done: ${max ?? 'only a limited number of'} runs may wait.`,
    details: ['max'],
  },
  reserved_key: {
    status: 400,
    meaning: 'A computed variable of the scope has this name.',
    action: ({ key }) => `Choose another key: ${quoted(key, 'this one')} is the name of a computed variable.`,
    dashboard: 'A computed variable has this name. Choose another.',
    details: ['key'],
  },
  readonly_variable: {
    status: 400,
    meaning: 'Only scripts can write this variable.',
    action: ({ key }) => `Change the script instead: only scripts write ${quoted(key, 'this variable')}.`,
    dashboard: 'Only scripts can change this variable.',
    details: ['key'],
  },
  system_variable: {
    status: 400,
    meaning: 'Soundline creates this variable for every service; it cannot be deleted.',
    action: ({ key }) => `Change its value instead: every service keeps ${quoted(key, 'this variable')}.`,
    dashboard: 'Every service has this variable. It cannot be deleted.',
    details: ['key'],
  },
  bad_request: {
    status: 400,
    meaning: 'The request is not valid HTTP/1.1 with one Host header.',
    action: 'Send a valid HTTP/1.1 request with exactly one Host header.',
  },
  missing_auth_header: {
    status: 401,
    meaning: 'The request has no Authorization header.',
    action: 'Send the header `Authorization: Bearer <API key>`.',
  },
  invalid_token: {
    status: 401,
    meaning: 'The Authorization header has no bearer token.',
    action: 'Send the header as `Authorization: Bearer <API key>`: it holds no bearer token.',
  },
  invalid_api_key: {
    status: 401,
    meaning: 'No key matches the token.',
    action: 'Check the API key: it is unknown, so it is mistyped or was deleted.',
  },
  api_key_revoked: {
    status: 401,
    meaning: 'The key was revoked, which is permanent.',
    action: 'Create a new API key in the dashboard: this one was revoked.',
  },
  api_key_expired: {
    status: 401,
    meaning: 'The key has expired.',
    action: 'Create a new API key in the dashboard: this one has expired.',
  },
  api_key_owner_inactive: {
    status: 401,
    meaning: "The member's membership or account is disabled or was removed.",
    action: 'Use the key of another member: the membership or account of this one is not active.',
  },
  api_key_read_only: {
    status: 403,
    meaning: 'A read key sent a method other than GET or HEAD.',
    action: 'Use a write key: a read key may only send GET and HEAD.',
  },
  totp_enrollment_required: {
    status: 403,
    meaning: 'The organization or a group requires two-factor authentication, and the member has not enrolled.',
    action: "Set up two-factor authentication in the dashboard: the key's member must have it.",
    dashboard: 'Your organization requires two-factor authentication. Set it up on your account page.',
  },
  insufficient_permissions: {
    status: 403,
    meaning: 'The member lacks the organization permission that the endpoint requires.',
    action: "Ask an administrator for the permission: the key's member lacks it.",
    dashboard: 'You do not have the permission for this. An administrator of your organization can give it to you.',
  },
  not_found: {
    status: 404,
    meaning: 'The resource does not exist, or the member may not see or change it.',
    action: ({ field }) =>
      field === undefined
        ? 'Check the path and its ids: the resource does not exist, or you have no access to it.'
        : `Check ${quoted(field, 'the id')}: it names no resource that you may see or change.`,
    dashboard: 'This does not exist, or you have no access to it.',
    details: ['field'],
    example: { field: 'projectId' },
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path has no such method; the `Allow` header lists those that it has.',
    action: 'Use one of the methods in the `Allow` header.',
    dashboard: 'The server does not support this request.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request was not complete in time.',
    action: 'Send the request again, faster: it was not complete in time.',
  },
  already_exists: {
    status: 409,
    meaning: 'A resource with this name or key already exists.',
    action: ({ field }) => `Choose another ${field ?? 'name'}, or use the resource that has this one.`,
    dashboard: 'This name is taken. Choose another.',
    details: ['field', 'id'],
    example: { field: 'name' },
  },
  version_conflict: {
    status: 409,
    meaning: 'The version is not the current one.',
    action: ({ version }) => `Read the service again and send its current version${version ? ` ${version}` : ''}.`,
    dashboard: 'Someone else has saved this script since you opened it.',
    details: ['field', 'version'],
    example: { field: 'version' },
  },
  service_inactive: {
    status: 409,
    meaning: 'The service is switched off.',
    action: 'Switch the service on before you request a run.',
  },
  script_missing: {
    status: 409,
    meaning: 'The service has no script.',
    action: 'Save a script before you request a run.',
  },
  run_started: {
    status: 409,
    meaning: 'All agents of the run have started or ended.',
    action: 'Wait for the run to finish: it can no longer be cancelled.',
  },
  binding_exists: {
    status: 409,
    meaning: 'The webhook is already bound to the resource.',
    action: 'Use the existing binding of this webhook.',
    details: ['field', 'id'],
    example: { field: 'webhookId' },
  },
  idempotency_mismatch: {
    status: 409,
    meaning: 'The `Idempotency-Key` was used for another request within 24 hours.',
    action: 'Send a new `Idempotency-Key`: this one was used for another request.',
  },
  idempotency_in_progress: {
    status: 409,
    meaning: 'The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.',
    action: 'Retry after `Retry-After` seconds: the first request with this key is still running.',
  },
  body_gone: {
    status: 410,
    meaning: 'The body was recorded, but it is no longer stored.',
    action: 'Do not retry: the body cannot be restored.',
  },
  length_required: {
    status: 411,
    meaning: 'The body of a request for a page has no declared length.',
    action: 'Send the length of the body in `Content-Length`.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The stored body is too large to be served inline.',
    action: ({ maxBytes }) => `Open the body in the dashboard: it is over ${maxBytes ?? 'the limit of'} bytes.`,
    dashboard: 'The body is too large to be shown.',
    details: ['maxBytes'],
    example: { maxBytes: 4_194_304 },
  },
  request_body_too_large: {
    status: 413,
    meaning: 'The request body is over the limit.',
    action: ({ maxBytes }) => `Send a smaller body: at most ${maxBytes ?? 'the allowed number of'} bytes.`,
    dashboard: 'The request is too large.',
    details: ['maxBytes'],
  },
  rate_limited: {
    status: 429,
    meaning: 'The key is over its rate limit; wait for Retry-After seconds.',
    action: 'Wait for `Retry-After` seconds: the rate limit is used up.',
    dashboard: 'Too many requests. Wait a moment and try again.',
  },
  too_many_unknown_keys: {
    status: 429,
    meaning: 'The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.',
    action:
      'Check the API key and wait for `Retry-After` seconds: this address sent too many requests with unknown keys.',
  },
  request_headers_too_large: {
    status: 431,
    meaning: 'The headers or the request target are over 16 KiB.',
    action: 'Send fewer or shorter headers: together at most 16 KiB.',
  },
  internal_error: {
    status: 500,
    meaning: 'The server failed.',
    action: 'Retry later, and report the `X-Request-Id` of this response if it happens again.',
    dashboard: 'An error occurred on the server and was logged. Try again.',
  },
  body_store_unavailable: {
    status: 503,
    meaning: 'The body store did not respond in time; wait for Retry-After seconds.',
    action: 'Retry after `Retry-After` seconds: the body store does not respond.',
    dashboard: 'The body store is not available at the moment. Try again in a few seconds.',
  },
  service_unavailable: {
    status: 503,
    meaning:
      'The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect.',
    action:
      'Retry after `Retry-After` seconds, a POST with the same `Idempotency-Key`: the server is overloaded, or its database cannot be reached or written.',
    dashboard: 'The server is busy, or its database cannot be reached or written. Try again in a few seconds.',
  },
} satisfies Record<string, ErrorEntry>

function atMost(owner: string, max: unknown): string {
  return `${owner} has at most ${max ?? 'a limited number'}`
}

/** What a limit for unverified domains says, and the two ways out of it. `limit` stands for a reason that is missing. */
function unverified(limit: string): Pick<ErrorEntry, 'action' | 'dashboard'> {
  const wayOut = 'Verify it under Domains, or the operator sets TRUSTED_DOMAIN_MODE.'
  const problemOf = (reason: unknown) => (typeof reason === 'string' ? reason : `a domain is not verified: ${limit}`)
  return {
    action: ({ reason }) => `The limit of an unverified domain applies: ${problemOf(reason)}. ${wayOut}`,
    dashboard: ({ reason }) => `${problemOf(reason).replace(/^a /, 'A ')}. ${wayOut}`,
  }
}
