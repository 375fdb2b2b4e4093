import type { ErrorEntry } from './error-text.ts'

/** The codes that only remote agents get, under `/api/agent/v1`. */
export const AGENT_ERRORS = {
  invalid_signature: {
    status: 401,
    meaning: 'The signature does not match the request, or its key is unknown.',
    action: 'Sign the request with the key of an enrolled agent: this signature does not match the request.',
  },
  replayed: {
    status: 401,
    meaning: 'A request with this nonce was already received.',
    action: 'Sign each request with a new nonce: this one was used before.',
  },
  clock_skew: {
    status: 401,
    meaning: "The agent's clock differs from the server's by more than five minutes.",
    action:
      "Correct the agent's clock: it differs from the server's, which `details.now` shows, by more than five minutes.",
  },
  enrolment_invalid: {
    status: 401,
    meaning: 'The enrolment token cannot be used.',
    action:
      'Create a new enrolment token: this one is unknown, was used, is older than 15 minutes, or is of a member who may not enrol agents any more.',
  },
  agent_revoked: {
    status: 403,
    meaning: "The agent's key was revoked, or the agent is switched off.",
    action: 'Enrol the agent again, or switch it on: its key was revoked, or the agent is switched off.',
  },
  lease_lost: {
    status: 409,
    meaning: 'The agent no longer holds the run: its time has passed, or the run has ended.',
    action: 'Delete the result: the agent no longer holds this run.',
  },
  agent_too_old: {
    status: 426,
    meaning: 'The agent speaks a version of the protocol that the server no longer supports.',
    action: ({ minimum }) =>
      `Install a newer agent: this server needs version ${minimum ?? 'a newer version'} of the protocol.`,
  },
} satisfies Record<string, ErrorEntry>
