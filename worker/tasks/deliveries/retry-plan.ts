import { DAY_MS, HOUR_MS } from '#server/durations.ts'
import type { TransportResponse } from '#server/language/lace/transport.ts'

/**
 * Webhook retries: the delay after each failed attempt, in seconds. Twelve attempts within 24 hours; status 410 ends them
 * at once.
 */
export const RETRY_DELAYS_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600, 25_200] as const

/** The longest pause that a receiver can ask for. */
const RETRY_AFTER_MAX_MS = HOUR_MS
/** The statuses whose `Retry-After` says when the receiver takes messages again. */
const BUSY = [429, 503]

/**
 * Returns when a delivery is attempted again after `attempts` attempts, the last of which was due at `dueAt` and ended
 * at `at`; null after the last one. A pause that the receiver asks for lengthens the delay, not the 24 hours.
 */
export function nextAttempt(
  { attempts, createdAt, dueAt }: { attempts: number; createdAt: Date; dueAt: Date | null },
  at: Date,
  retryAfterMs: number | null,
): Date | null {
  const delay = RETRY_DELAYS_SECONDS[attempts - 1]
  const endsAt = createdAt.getTime() + DAY_MS
  if (delay === undefined || dueAt?.getTime() === endsAt) return null
  const next = at.getTime() + Math.max(delay * 1_000, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS))
  // A delivery that is resent later has its whole plan again.
  return new Date(at.getTime() < endsAt ? Math.min(next, endsAt) : next)
}

/** Returns the pause that a busy receiver asks for, in milliseconds: `Retry-After` in seconds or as a date. */
export function retryAfterMs({ status, headers }: Pick<TransportResponse, 'status' | 'headers'>, at: Date) {
  const [value] = [headers['retry-after']].flat()
  if (!BUSY.includes(status) || value === undefined) return null
  const ms = /^\d{1,9}$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - at.getTime()
  return ms > 0 ? ms : null
}
