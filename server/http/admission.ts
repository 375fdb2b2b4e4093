import { createHash } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { unavailable } from '../errors.ts'
import { addressBucket } from './client-address.ts'

// Admission: a request that would wait too long for the database is refused at once, since one that waits until its
// deadline is of no use to anyone and makes others wait. Callers take turns, so that a flood of one is refused before
// it makes another's requests wait.

/** The statements of a request are cancelled, and its transaction rolled back, after this long. */
const DEADLINE_MS = 25_000
/** The longest wait for its first connection that a request is still begun with. */
const EXPECTED_WAIT_MS = 2_500

const KNOWN_MAX = 10_000
/** Organizations by the credentials that proved to be theirs. */
const known = new Map<string, string>()

/** Whose share a request counts in: the organization of a credential seen before, else the network it comes from. */
export function callerOf(credential: string | null, address: string): string {
  return (credential && known.get(digestOf(credential))) || `address ${addressBucket(address)}`
}

/** Takes note whose credential it was, for the next time. */
export function rememberCaller(credential: string | null, organizationId: string): void {
  if (!credential) return
  const digest = digestOf(credential)
  known.delete(digest)
  known.set(digest, `organization ${organizationId}`)
  if (known.size > KNOWN_MAX) known.delete(known.keys().next().value as string)
}

/**
 * Does the work of a request within the caller's share and a deadline.
 * @throws ApiError `service_unavailable` with `Retry-After`, at once, when the database is too busy
 */
export async function withAdmission<T>(
  db: Db,
  caller: string,
  work: () => Promise<T>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const waitMs = db.$client.pool.expectedWaitMs(caller)
  if (waitMs > EXPECTED_WAIT_MS) throw unavailable(Math.ceil(waitMs / 1_000))
  return await withinRequestBounds(caller, deadlineMs, work)
}

function digestOf(credential: string): string {
  return createHash('sha256').update(credential).digest('base64')
}
