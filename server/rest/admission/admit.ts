import { currentRequestBounds } from '#db/connections/request-bounds.ts'
import type { Actor, Runtime } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { callerOfDigest, credentialDigest, rememberCallerOfDigest, withAdmission } from '../../http/admission.ts'
import { type Authenticated, authenticate } from './authenticate.ts'

// A round trip costs more than most reads. So where a process has accepted a key before, it sends the statement of a read
// together with the admission of the request, for the member as the key's last request found them. The database executes
// the admission first. What it returns decides: the read counts only if the member is the same to the last permission;
// otherwise it is sent again. Nothing of the read leaves the process if the request is refused, and then its key is
// forgotten here, so that a key over its rate limit costs no reads.

type Expected = { actor: Actor; text: string }

/** Actors of keys, by `credentialDigest`. */
export type ExpectedActors = Map<string, Expected>

/** About 3 MB. */
const EXPECTED_MAX = 2_000

export function createExpectedActors(): ExpectedActors {
  return new Map()
}

type Admission = { runtime: Runtime; expected: ExpectedActors; maxMs: number }
type Admitted = {
  caller: string
  authenticated: Authenticated
  /** How the read ended; null where it is still to be sent. */
  early: PromiseSettledResult<unknown> | null
}

/**
 * Admits a request, and sends its read with it if the key is known. `read` sends single statements of the pool, and is null
 * where nothing may be sent before the admission.
 * @throws ApiError as `authenticate` and `withAdmission`
 */
export async function admit(
  { runtime, expected, maxMs }: Admission,
  { authorization, address }: { authorization: string | null; address: string },
  read: ((actor: Actor) => Promise<unknown>) | null,
): Promise<Admitted> {
  const digest = authorization && credentialDigest(authorization)
  const caller = callerOfDigest(digest, address)
  const known = digest && read ? (expected.get(digest) ?? null) : null
  const authenticateKey = () => authenticate(runtime, authorization, address)
  const work = async (): Promise<[Authenticated, PromiseSettledResult<unknown> | null]> => {
    return known && read
      ? sendTogether(runtime, authenticateKey, () => read(known.actor))
      : [await authenticateKey(), null]
  }
  try {
    const [authenticated, outcome] = await withAdmission(runtime.db, caller, work, maxMs)
    const { actor } = authenticated
    if (!digest) return { caller, authenticated, early: null }
    rememberCallerOfDigest(digest, actor.organizationId)
    if (!read) return { caller, authenticated, early: null }
    const text = JSON.stringify(actor)
    if (known?.text !== text) remember(expected, digest, { actor, text })
    return { caller, authenticated, early: outcome && known?.text === text && isFinal(outcome) ? outcome : null }
  } catch (error) {
    if (digest) expected.delete(digest)
    throw error
  }
}

async function sendTogether(
  { db }: Runtime,
  authenticateKey: () => Promise<Authenticated>,
  read: () => Promise<unknown>,
): Promise<[Authenticated, PromiseSettledResult<unknown> | null]> {
  const bounds = currentRequestBounds()
  const { pool } = db.$client
  // Behind a pooler, each statement has a transaction of its own.
  if (!bounds || pool.options.isPooled) return [await authenticateKey(), null]
  const [admitted, outcome] = await pool.together(bounds, () => Promise.allSettled([authenticateKey(), read()]))
  if (admitted.status === 'rejected') throw admitted.reason
  return [admitted.value, outcome]
}

/** Whether the read ended for good: another attempt may not have another failure. */
function isFinal(outcome: PromiseSettledResult<unknown>): boolean {
  return outcome.status === 'fulfilled' || outcome.reason instanceof ApiError
}

function remember(expected: ExpectedActors, digest: string, found: Expected): void {
  expected.delete(digest)
  expected.set(digest, found)
  if (expected.size > EXPECTED_MAX) expected.delete(expected.keys().next().value as string)
}
