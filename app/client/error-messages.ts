type Details = Record<string, unknown>

/** What each code of the server means to the person at the page. Unknown codes get a sentence of their own. */
const MESSAGES: Record<string, string | ((details: Details) => string)> = {
  network: 'The server cannot be reached. Check your connection and try again.',
  field_invalid: (details) => aboutField(details, 'is not accepted'),
  field_required: (details) => aboutField(details, 'is required'),
  invalid_uuid: 'That address is not complete: an id in it is malformed.',
  invalid_request_body: (details) => aboutField(details, 'is not accepted'),
  invalid_path: 'That address is not valid.',
  blocked_probe_target: ({ reason }) =>
    `No probe and no webhook may reach this address: ${typeof reason === 'string' ? reason : 'private, loopback and internal ones are blocked'}.`,
  unverified_domain_call_limit:
    'A script that targets a domain your organization has not verified may make at most three calls.',
  unverified_domain_includes:
    'A script that targets a domain your organization has not verified may not use an includes check.',
  unverified_domain_interval:
    'A script that targets a domain your organization has not verified may run every five minutes at most.',
  variable_limit_reached: 'This scope holds as many variables as it may. Delete one first.',
  reserved_key: 'This key is the name of a computed variable. Choose another.',
  readonly_variable: 'A script writes this variable; it cannot be changed by hand.',
  system_variable: 'This variable belongs to the service itself and cannot be deleted.',
  totp_enrollment_required:
    'Your organization requires two-factor authentication. Set it up on your account page to go on.',
  insufficient_permissions:
    'You do not have the permission this needs. An administrator of your organization can grant it.',
  not_found: 'This does not exist, or you have no access to it.',
  method_not_allowed: 'The server does not do that here.',
  already_exists: 'This name is taken. Choose another.',
  version_conflict: 'Someone else has saved this script since you opened it.',
  service_inactive: 'The service is switched off. Switch it on to run it.',
  script_missing: 'The service has no script yet.',
  binding_exists: 'This webhook is already bound here.',
  body_gone: 'The stored body is gone from its store and cannot be brought back.',
  body_too_large: 'The stored body is too large to show here.',
  request_body_too_large: 'That is more than the server takes in one request.',
  rate_limited: 'Too many requests. Wait a moment and try again.',
  body_store_unavailable: 'The store of response bodies does not answer at the moment. Try again in a few seconds.',
  service_unavailable: 'The server is busy or cannot reach its database at the moment. Try again in a few seconds.',
  internal_error: 'Something went wrong on the server. It has been noted; try again.',
  session_required: 'Your session has ended. Sign in again.',
  invalid_credentials: 'Email or password is not right.',
  totp_required: 'Enter the code of your authenticator app.',
  invalid_code: 'This code is not right, or was used already. Wait for the next one.',
  wrong_host: 'The dashboard is not reached by this address. Open the address that it was set up with.',
  cross_site_request: 'The request came from another site and was refused.',
  setup_complete: 'This installation is already set up.',
  setup_link_invalid: 'This is not the link of this installation. Open the one that the start printed last.',
  invitation_invalid: 'This invitation has expired, was withdrawn, or was used already.',
  confirmation_invalid:
    'This link has expired or was used already, or another account asked for it. Ask for a new one on your account page.',
  reset_invalid: 'This link has expired or was used already. Ask for a new one.',
  key_limit_reached: 'You hold as many keys as you may. Revoke one first.',
  webhook_limit_reached: 'Your organization has as many webhooks as it may. Delete one first.',
  last_owner: 'An organization needs an owner. Make someone else the owner first.',
  last_organization: 'This is the only organization there is. Create another one first.',
  body_store_in_use: 'New response bodies go to this store. It can be forgotten once they go to another.',
  busy: 'The server is busy. Try again in a moment.',
}

export function messageFor(code: string, details: Details): string {
  const known = MESSAGES[code]
  if (typeof known === 'string') return known
  return known?.(details) ?? `The server refused this (${code}).`
}

export function hasMessage(code: string): boolean {
  return code in MESSAGES
}

function aboutField(details: Details, verdict: string): string {
  const reason = typeof details.reason === 'string' ? details.reason : null
  const field = typeof details.field === 'string' ? details.field : null
  if (field && reason) return `${labelOf(field)}: ${reason}`
  if (field) return `${labelOf(field)} ${verdict}.`
  return reason ?? 'Something in the form is not accepted.'
}

/** `serviceWindow` reads `Service window`. */
function labelOf(field: string): string {
  const words = field.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
