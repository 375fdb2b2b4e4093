import { hash } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { unavailable } from '../errors.ts'
import { addressBucket } from './client-address.ts'

// Admission control: a request that would wait too long for the database is refused at once. Callers take turns, so the
// flood of one caller is refused before it delays another's requests.

/** After this long, a request's statements are cancelled and its transaction is rolled back. */
const DEADLINE_MS = 25_000
/** A request whose first connection would take longer is refused. */
const EXPECTED_WAIT_MS = 2_500

const KNOWN_CALLERS_MAX = 10_000
/** The caller of each credential that was accepted before. */
const knownCallers = new Map<string, string>()

/** Returns the caller that a request counts for: the organization of a known credential, else the client's network. */
export function callerOf(credential: string | null, address: string): string {
  return callerOfDigest(credential && credentialDigest(credential), address)
}

/** The same by `credentialDigest`. */
export function callerOfDigest(digest: string | null, address: string): string {
  return (digest && knownCallers.get(digest)) || `address ${addressBucket(address)}`
}

/** Remembers the organization of an accepted credential for `callerOf`. */
export function rememberCaller(credential: string | null, organizationId: string): void {
  if (credential) rememberCallerOfDigest(credentialDigest(credential), organizationId)
}

export function rememberCallerOfDigest(digest: string, organizationId: string): void {
  knownCallers.delete(digest)
  knownCallers.set(digest, `organization ${organizationId}`)
  if (knownCallers.size > KNOWN_CALLERS_MAX) knownCallers.delete(knownCallers.keys().next().value as string)
}

/**
 * Runs the work of a request with the caller's share of connections and a deadline.
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

/** Returns the digest that represents a credential in memory. */
export function credentialDigest(credential: string): string {
  return hash('sha256', credential, 'base64')
}
