import { hash } from 'node:crypto'
import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { unavailable } from '../errors.ts'
import { addressBucket } from './client-address.ts'
import { withDeadline } from './deadline.ts'

// Admission control: past a number of requests in flight, further ones are refused at once, so that those in flight end
// soon. The flood of one organization is refused before the others notice it.

/** After this long, a request's statements are cancelled and its transaction is rolled back. */
const DEADLINE_MS = 25_000
/** The most requests whose database work is in flight: of this process, and of one caller. */
const IN_FLIGHT_MAX = 300
const OF_CALLER_MAX = 100

/** Runs database work of a request. Its body is read outside, because a client may send it slowly. */
export type Admitted = <T>(work: () => Promise<T>) => Promise<T>

let inFlight = 0
const ofCallers = new Map<string, number>()

const KNOWN_CALLERS_MAX = 10_000
/** The caller of each credential that was accepted before, by its digest. */
const knownCallers = new Map<string, string>()

/** Returns the caller that a request counts for: the organization of a known credential, else the client's network. */
export function callerOf(credential: string | null, address: string): string {
  return (credential && knownCallers.get(digestOf(credential))) || `address ${addressBucket(address)}`
}

/** Remembers the organization of an accepted credential for `callerOf`, and returns the caller. */
export function rememberCaller(credential: string | null, organizationId: string): string {
  const caller = `organization ${organizationId}`
  if (!credential) return caller
  const digest = digestOf(credential)
  knownCallers.delete(digest)
  knownCallers.set(digest, caller)
  if (knownCallers.size > KNOWN_CALLERS_MAX) knownCallers.delete(knownCallers.keys().next().value as string)
  return caller
}

/**
 * Runs the database work of a request, which has a deadline.
 * @throws ApiError `service_unavailable` with `Retry-After`, at once, when too many requests are in flight
 */
export async function withAdmission<T>(
  caller: string,
  work: () => Promise<T>,
  deadlineMs: number = DEADLINE_MS,
): Promise<T> {
  const own = ofCallers.get(caller) ?? 0
  if (inFlight >= IN_FLIGHT_MAX || own >= OF_CALLER_MAX) throw unavailable()
  inFlight++
  ofCallers.set(caller, own + 1)
  let isCounted = true
  const leave = () => {
    if (!isCounted) return
    isCounted = false
    inFlight--
    const left = (ofCallers.get(caller) ?? 1) - 1
    if (left > 0) ofCallers.set(caller, left)
    else ofCallers.delete(caller)
  }
  // No statement runs past the deadline, however slowly the client reads its page.
  const deadline = setTimeout(leave, deadlineMs).unref()
  try {
    return await withinRequestBounds(deadlineMs, work, caller)
  } finally {
    clearTimeout(deadline)
    leave()
  }
}

/**
 * Returns the two ways in which a request of the API calls the database, with its deadlines in milliseconds. `admitted`
 * can be refused for the load. `completing` cannot: it is for what follows a change or a wait.
 */
export function waysOf(
  caller: string,
  { operationMs, statementsMs }: { operationMs: number; statementsMs: number },
): { admitted: Admitted; completing: Admitted } {
  return {
    admitted: (work) => withDeadline(operationMs, withAdmission(caller, work, statementsMs)),
    completing: (work) => withDeadline(operationMs, withinRequestBounds(statementsMs, work, caller)),
  }
}

function digestOf(credential: string): string {
  return hash('sha256', credential, 'base64')
}
