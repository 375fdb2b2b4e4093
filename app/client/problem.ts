import { OperationError } from './call.ts'

/** An error as a page shows it: the server's code, details and message. */
export type Problem = { code: string; details: Record<string, unknown>; message: string }

const NO_RESPONSE = 'The server cannot be reached. Check your connection and try again.'

/** Converts an error. The code is `network` if there was no response, or one that did not come from our server. */
export function problemOf(error: unknown): Problem {
  const { data, message } = (error instanceof OperationError && error.report) || {}
  if (typeof data?.code !== 'string') return { code: 'network', details: {}, message: NO_RESPONSE }
  const details = typeof data.details === 'object' && data.details !== null ? data.details : {}
  return { code: data.code, details: details as Record<string, unknown>, message: String(message) }
}

/** Whether a domain that is not verified is the reason: the message names the way out. */
export function isLimitOfDomains({ code }: Problem): boolean {
  return code.startsWith('unverified_domain_')
}

/** Returns the form field that the problem names, or null. */
export function fieldOf(problem: Problem): string | null {
  return typeof problem.details.field === 'string' ? problem.details.field : null
}

/** Returns the reason with a capital letter. Schemas write reasons as the end of a sentence, but fields show them alone. */
export function capitalized(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}
