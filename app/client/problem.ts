import { OperationError } from './call.ts'
import { messageFor } from './error-messages.ts'

/** An error as a page shows it: the server's code and details, and a message. */
export type Problem = { code: string; details: Record<string, unknown>; message: string }

/** Converts an error. The code is `network` if there was no response, or one that did not come from our server. */
export function problemOf(error: unknown): Problem {
  const data = error instanceof OperationError ? error.data : null
  if (typeof data?.code !== 'string') return { code: 'network', details: {}, message: messageFor('network', {}) }
  const details = typeof data.details === 'object' && data.details !== null ? data.details : {}
  return {
    code: data.code,
    details: details as Record<string, unknown>,
    message: messageFor(data.code, details as Record<string, unknown>),
  }
}

/** Returns the form field that the problem names, or null. */
export function fieldOf(problem: Problem): string | null {
  return typeof problem.details.field === 'string' ? problem.details.field : null
}

/** Returns the reason with a capital letter. Schemas write reasons as the end of a sentence, but fields show them alone. */
export function capitalized(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}
