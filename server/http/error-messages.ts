import {
  AGENT_ERRORS,
  type AgentErrorCode,
  type ApiError,
  type ErrorCode,
  type ErrorDetails,
  type PublicErrorCode,
} from '../errors.ts'

type Message = string | ((details: ErrorDetails) => string)

/** What a caller should do about each code, in one sentence. The meaning of each code is in rest/error-catalog.ts. */
const MESSAGES: Record<PublicErrorCode | AgentErrorCode, Message> = {
  field_invalid: (details) => correct(details, 'its value is not accepted'),
  field_required: ({ field }) => `Give ${quoted(field, 'the field')}: it is required.`,
  invalid_uuid: ({ field }) => `Give a UUID in ${quoted(field, 'the id')}, as another response shows it.`,
  invalid_request_body: (details) => correct(details, 'the body must be a JSON object'),
  invalid_path:
    'Write the path in its canonical form: no encoded characters, no dot or empty segments, no slash at the end.',
  blocked_probe_target: (details) => correct(details, 'probes reach only public http and https addresses'),
  unverified_domain_call_limit: ({ max }) =>
    `Verify the domain at the dashboard, or make at most ${max ?? 3} calls in the script.`,
  unverified_domain_includes: 'Verify the domain at the dashboard, or remove the includes check from the script.',
  unverified_domain_interval: 'Verify the domain at the dashboard, or run the service at most every five minutes.',
  variable_limit_reached: ({ max }) => `Delete a variable first: the scope already has ${max ?? 'all'} it may have.`,
  silence_limit_reached: ({ max }) => `Delete a silence first: you already have ${max ?? 'all'} you may have.`,
  note_limit_reached: ({ max }) => `Add no more notes: the incident already has ${max ?? 'all'} it may have.`,
  run_limit_reached: ({ max }) => `Wait for earlier runs: ${max ?? 'too many'} runs with values already wait.`,
  reserved_key: ({ key }) => `Choose another key: ${quoted(key, 'this one')} is the name of a computed variable.`,
  readonly_variable: ({ key }) => `Change the script instead: only scripts write ${quoted(key, 'this variable')}.`,
  system_variable: ({ key }) => `Change its value instead: every service keeps ${quoted(key, 'this variable')}.`,
  bad_request: 'Send a valid HTTP/1.1 request with exactly one Host header.',
  missing_auth_header: 'Send the header `Authorization: Bearer <API key>`.',
  invalid_token: 'Send the header as `Authorization: Bearer <API key>`: it holds no bearer token.',
  invalid_api_key: 'Check the API key: none matches, so it is mistyped or was deleted.',
  api_key_revoked: 'Create a new API key at the dashboard: this one was revoked.',
  api_key_expired: 'Create a new API key at the dashboard: this one has expired.',
  api_key_owner_inactive: 'Use the key of another member: the membership or account of this one is not active.',
  api_key_read_only: 'Use a write key: a read key may only send GET and HEAD.',
  totp_enrollment_required: "Set up two-factor authentication at the dashboard: the key's member must have it.",
  insufficient_permissions: "Ask an administrator for the permission: the key's member lacks it.",
  not_found: ({ field }) =>
    field === undefined
      ? 'Check the path and its ids: nothing that you may see is there.'
      : `Check ${quoted(field, 'the id')}: it names nothing that you may see or change.`,
  method_not_allowed: 'Use one of the methods in the `Allow` header.',
  request_timeout: 'Send the request again, faster: it was not complete in time.',
  already_exists: ({ field }) => `Choose another ${field ?? 'name'}, or use the resource that has this one.`,
  version_conflict: ({ version }) =>
    `Read the service again and send its current version${version ? ` ${version}` : ''}.`,
  service_inactive: 'Switch the service on before you request a run.',
  script_missing: 'Save a script before you request a run.',
  run_started: 'Wait for the run to finish: nothing of it can be cancelled any more.',
  binding_exists: 'Use the existing binding: the webhook is already bound to this resource.',
  idempotency_mismatch: 'Send a new `Idempotency-Key`: this one was used for another request.',
  idempotency_in_progress: 'Retry after `Retry-After` seconds: the first request with this key still runs.',
  body_gone: 'Do not retry: the body was recorded, but it is no longer stored.',
  length_required: 'Send the length of the body in `Content-Length`.',
  body_too_large: ({ maxBytes }) => `Open the body at the dashboard: it is over ${maxBytes ?? 'the limit of'} bytes.`,
  request_body_too_large: ({ maxBytes }) =>
    `Send a smaller body: at most ${maxBytes ?? 'the allowed number of'} bytes.`,
  rate_limited: 'Wait for `Retry-After` seconds: the rate limit is used up.',
  too_many_unknown_keys:
    'Check the API key and wait for `Retry-After` seconds: this address sent too many requests with unknown keys.',
  request_headers_too_large: 'Send fewer or shorter headers: together at most 16 KiB.',
  internal_error: 'Retry later, and report the `X-Request-Id` of this response if it happens again.',
  body_store_unavailable: 'Retry after `Retry-After` seconds: the body store does not respond.',
  service_unavailable:
    'Retry after `Retry-After` seconds, a POST with the same `Idempotency-Key`: the server is overloaded, or its database cannot be reached or written.',
  invalid_signature: 'Sign the request with the key of an enrolled agent: this signature does not fit the request.',
  replayed: 'Sign each request with a new nonce: this one was used before.',
  clock_skew:
    "Correct the agent's clock: it differs from the server's, which `details.now` shows, by more than five minutes.",
  enrolment_invalid:
    'Create a new enrolment token: this one is unknown, was used, is older than 15 minutes, or is of a member who may not enrol agents any more.',
  agent_revoked: 'Enrol the agent again, or switch it on: its key was revoked, or the agent is switched off.',
  lease_lost: 'Delete the result: the agent no longer holds this run.',
  agent_too_old: ({ minimum }) =>
    `Install a newer agent: this server needs version ${minimum ?? 'a newer version'} of the protocol.`,
}

/** Returns the sentence that the response with this error shows. */
export function messageOf({ api, details = {}, advice }: Pick<ApiError, 'api' | 'details' | 'advice'>): string {
  if (advice !== undefined) return advice
  const message: Message | undefined = (MESSAGES as Partial<Record<ErrorCode, Message>>)[api]
  if (typeof message === 'function') return message(details)
  return message ?? 'The request was refused.'
}

/** Returns where the guide describes the code. `origin` is the address at which the caller reaches the server. */
export function guideLink(origin: string, code: ErrorCode): string {
  if (code in AGENT_ERRORS) return `${origin}/docs/guide/agents#codes-of-agents`
  return `${origin}/docs/guide#code-${code}`
}

function correct({ field, reason }: ErrorDetails, otherwise: string): string {
  const problem = typeof reason === 'string' ? reason.replace(/[.\s]+$/, '') : otherwise
  return `Correct ${quoted(field, 'the request')}: ${problem}.`
}

function quoted(name: unknown, otherwise: string): string {
  return typeof name === 'string' && name !== '' ? `\`${name}\`` : otherwise
}
