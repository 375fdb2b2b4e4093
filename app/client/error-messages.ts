import { UNSUBSCRIBE_PROBLEMS } from '#server/schemas/alerts/unsubscribe-problems.ts'

type Details = Record<string, unknown>

/** The message that the dashboard shows for each error code of the server. */
const MESSAGES: Record<string, string | ((details: Details) => string)> = {
  network: 'The server cannot be reached. Check your connection and try again.',
  field_invalid: (details) => aboutField(details, 'is not valid'),
  field_required: (details) => aboutField(details, 'is required'),
  invalid_uuid: 'This address contains an id that is not valid.',
  invalid_request_body: (details) => aboutField(details, 'is not valid'),
  invalid_path: 'This address is not valid.',
  blocked_probe_target: ({ reason }) =>
    `Services and webhooks may not send requests to this address: ${typeof reason === 'string' ? reason : 'private, loopback and internal addresses are blocked'}.`,
  unverified_domain_call_limit: 'A script that targets an unverified domain may make at most three calls.',
  unverified_domain_includes: 'A script that targets an unverified domain may not use an includes check.',
  unverified_domain_interval: 'A script that targets an unverified domain may run at most every five minutes.',
  variable_limit_reached: 'You have reached the variable limit of this scope. Delete a variable first.',
  silence_limit_reached: 'You have reached the limit of silences. Delete a silence first.',
  note_limit_reached: 'This incident has reached its limit of notes.',
  reserved_key: 'A computed variable has this name. Choose another.',
  readonly_variable: 'Only scripts can change this variable.',
  system_variable: 'Every service has this variable. It cannot be deleted.',
  totp_enrollment_required: 'Your organization requires two-factor authentication. Set it up on your account page.',
  insufficient_permissions:
    'You do not have the permission for this. An administrator of your organization can give it to you.',
  not_found: 'This does not exist, or you have no access to it.',
  method_not_allowed: 'The server does not support this request.',
  already_exists: 'This name is taken. Choose another.',
  version_conflict: 'Someone else has saved this script since you opened it.',
  service_inactive: 'The service is switched off. Switch it on to run it.',
  script_missing: 'The service has no script yet.',
  run_limit_reached: 'Too many runs with values wait for this service. Try again when some are done.',
  run_started: 'The run has started or ended, so it cannot be cancelled.',
  binding_exists: 'This webhook is already bound here.',
  body_gone: 'The body is missing in its store and cannot be restored.',
  body_too_large: 'The body is too large to be shown.',
  request_body_too_large: 'The request is too large.',
  rate_limited: 'Too many requests. Wait a moment and try again.',
  body_store_unavailable: 'The body store is not available at the moment. Try again in a few seconds.',
  service_unavailable: 'The server is busy, or its database cannot be reached or written. Try again in a few seconds.',
  internal_error: 'An error occurred on the server and was logged. Try again.',
  session_required: 'Your session has ended. Sign in again.',
  invalid_credentials: 'Wrong email or password.',
  totp_required: 'Enter the code from your authenticator app.',
  invalid_code: 'This code is wrong or was already used. Wait for the next code.',
  wrong_host: 'The dashboard is not available at this address. Open the address that the operator configured.',
  cross_site_request: 'The request was refused because it came from another site.',
  setup_complete: 'This installation is already set up.',
  setup_link_invalid: 'This set-up link is not valid. Open the link that the last start printed.',
  invitation_invalid: 'This invitation has ended. Ask for a new one.',
  confirmation_invalid:
    'This link has expired, was already used, or belongs to another account. Request a new one on your account page.',
  unsubscribe_invalid: ({ reason }) => UNSUBSCRIBE_PROBLEMS[String(reason)] ?? UNSUBSCRIBE_PROBLEMS.invalid ?? '',
  reset_invalid: 'This link has expired or was already used. Request a new one.',
  key_limit_reached: 'You have reached your API key limit. Revoke a key first.',
  organization_limit_reached: ({ max }) =>
    `An account can own at most ${max ?? 'a limited number of'} organizations. Delete one of them or transfer its ownership first.`,
  agent_key_limit_reached: 'This agent has reached its limit of keys. Revoke a key first.',
  token_limit_reached: 'This project has reached its limit of tokens. Revoke a token first.',
  webhook_limit_reached: 'Your organization has reached its webhook limit. Delete a webhook first.',
  follow_limit_reached: 'You follow as many workspaces, projects and services as you can. Stop following one first.',
  last_owner: 'An organization needs an owner. Transfer the ownership first.',
  last_organization: 'This is the only organization. Create another one first.',
  body_store_in_use: 'This is the current body store. Only former stores can be forgotten.',
  busy: 'The server is busy. Try again in a moment.',
}

/** Returns the message for an error code, as a whole sentence. */
export function messageFor(code: string, details: Details): string {
  const known = MESSAGES[code]
  if (typeof known === 'string') return known
  return known?.(details) ?? `The server refused the request (${code}).`
}

function aboutField(details: Details, problem: string): string {
  const reason = typeof details.reason === 'string' ? details.reason : null
  const field = typeof details.field === 'string' ? details.field : null
  if (field && reason) return `${labelOf(field)}: ${reason}`
  if (field) return `${labelOf(field)} ${problem}.`
  return reason ?? 'A value in the form is not valid.'
}

/** Returns for example `Service window` for `serviceWindow`. */
function labelOf(field: string): string {
  const words = field.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
