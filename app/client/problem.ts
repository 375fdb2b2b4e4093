import { TRPCClientError } from '@trpc/client'
import { messageFor } from './error-messages.ts'

/** A failure as a page shows it: the server's code, its details, and a sentence for people. */
export type Problem = { code: string; details: Record<string, unknown>; message: string }

/** `network` stands for no answer at all, and for an answer that is not the server's own. */
export function problemOf(error: unknown): Problem {
  const data = error instanceof TRPCClientError ? (error.data as { code?: unknown; details?: unknown } | null) : null
  if (typeof data?.code !== 'string') return { code: 'network', details: {}, message: messageFor('network', {}) }
  const details = typeof data.details === 'object' && data.details !== null ? data.details : {}
  return {
    code: data.code,
    details: details as Record<string, unknown>,
    message: messageFor(data.code, details as Record<string, unknown>),
  }
}

/** The form field a failure names, if it names one. */
export function fieldOf(problem: Problem): string | null {
  return typeof problem.details.field === 'string' ? problem.details.field : null
}

/** Schemas tell reasons as the end of a sentence; alone beneath a field they begin with a capital. */
export function capitalized(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}
