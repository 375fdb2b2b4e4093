import { UNSUBSCRIBE_PROBLEMS } from '../alerts/unsubscribe-problems.ts'
import type { ErrorEntry } from './error-text.ts'

/** The codes that only the dashboard's own API uses. */
export const DASHBOARD_ERRORS = {
  session_required: { status: 401, meaning: 'Your session has ended.', action: 'Sign in again.' },
  invalid_credentials: { status: 401, meaning: 'Wrong email or password.', action: 'Check both and try again.' },
  totp_required: {
    status: 401,
    meaning: 'The account has a second factor.',
    action: 'Enter a code, or use a passkey.',
  },
  invalid_code: {
    status: 401,
    meaning: 'This code is wrong or was already used.',
    action: 'Wait for the next code.',
  },
  invalid_passkey: {
    status: 401,
    meaning: 'The passkey was not accepted: it is not one of the account, or the request is older than five minutes.',
    action: 'Try again, or use another way.',
  },
  passkeys_unavailable: {
    status: 400,
    meaning: 'Browsers allow passkeys only at an https address with a name, and at localhost.',
    action: 'Open the dashboard at such an address; behind a proxy, BASE_URL must name it.',
  },
  cross_site_request: {
    status: 403,
    meaning: 'The request was refused because it came from another site.',
    action: 'Open the dashboard at its own address and try again.',
  },
  wrong_host: {
    status: 421,
    meaning: 'The dashboard is not available at this address.',
    action: 'Open the dashboard at the address that your operator configured.',
  },
  setup_complete: { status: 409, meaning: 'This installation is already set up.', action: 'Sign in instead.' },
  setup_link_invalid: {
    status: 403,
    meaning: 'This set-up link is not valid.',
    action: 'Open the link that the last start printed.',
  },
  invitation_invalid: { status: 400, meaning: 'This invitation has ended.', action: 'Ask for a new one.' },
  reset_invalid: {
    status: 400,
    meaning: 'This link has expired or was already used.',
    action: 'Request a new one.',
  },
  confirmation_invalid: {
    status: 400,
    meaning: 'This link has expired, was already used, or belongs to another account.',
    action: 'Request a new one on your account page.',
  },
  unsubscribe_invalid: {
    status: 400,
    meaning: 'The link in a mail is invalid or no longer works.',
    action: 'Open the whole link from the mail that you received.',
    dashboard: ({ reason }) => UNSUBSCRIBE_PROBLEMS[String(reason)] ?? String(UNSUBSCRIBE_PROBLEMS.invalid),
  },
  key_limit_reached: {
    status: 400,
    meaning: 'You have reached your limit of API keys.',
    action: 'Revoke a key first.',
  },
  passkey_limit_reached: {
    status: 400,
    meaning: 'You have reached the limit of passkeys.',
    action: 'Remove a passkey first.',
  },
  organization_limit_reached: {
    status: 400,
    meaning: 'The account has reached its limit of organizations.',
    action: ({ max }) =>
      `Delete one of them or transfer its ownership first: an account can own at most ${max ?? 'a limited number'}.`,
  },
  token_limit_reached: {
    status: 400,
    meaning: 'This project has reached its limit of tokens.',
    action: 'Revoke a token first.',
  },
  webhook_limit_reached: {
    status: 400,
    meaning: 'Your organization has reached its limit of webhooks.',
    action: 'Delete a webhook first.',
  },
  follow_limit_reached: {
    status: 400,
    meaning: 'You have reached the limit of what a member can follow.',
    action: 'Stop following a workspace, project or service first.',
  },
  agent_key_limit_reached: {
    status: 400,
    meaning: 'This agent has reached its limit of keys.',
    action: 'Revoke a key first.',
  },
  last_owner: { status: 409, meaning: 'An organization needs an owner.', action: 'Transfer the ownership first.' },
  last_organization: {
    status: 409,
    meaning: 'This is the only organization.',
    action: 'Create another one first.',
  },
  body_store_in_use: {
    status: 409,
    meaning: 'This is the current body store.',
    action: 'Choose a former store: only former stores can be forgotten.',
  },
  busy: { status: 503, meaning: 'The server is busy.', action: 'Try again in a moment.' },
} satisfies Record<string, ErrorEntry>
