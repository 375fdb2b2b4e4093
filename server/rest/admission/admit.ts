import { currentRequestBounds } from '#db/connections/request-bounds.ts'
import type { Actor, Runtime } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { callerOfDigest, credentialDigest, rememberCallerOfDigest, withAdmission } from '../../http/admission.ts'
import { type Authenticated, type Checked, checkKey, recordUse } from './authenticate.ts'

// For a key that this process has accepted before, a read is sent together with the admission of its request, to save a
// round trip. The read counts only if the admission returns the same member with the same permissions; else it is sent
// again. A refused request returns nothing, and its key is forgotten here.

type Expected = { actor: Actor; text: string }

/** Actors of keys, by `credentialDigest`. */
export type ExpectedActors = Map<string, Expected>

/** About 3 MB. */
const EXPECTED_MAX = 2_000

export function createExpectedActors(): ExpectedActors {
  return new Map()
}

/** A read that is sent before its request is admitted, for a member who may have changed. */
export type EarlyRead = {
  send: (actor: Actor) => Promise<unknown>
  /** See `early` in the operation's `Meta`. */
  isShort: boolean
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
 * @throws ApiError as `checkKey` and `withAdmission`
 */
export async function admit(
  { runtime, expected, maxMs }: Admission,
  { authorization, address }: { authorization: string | null; address: string },
  read: EarlyRead | null,
): Promise<Admitted> {
  const digest = authorization && credentialDigest(authorization)
  const caller = callerOfDigest(digest, address)
  const known = digest && read ? (expected.get(digest) ?? null) : null
  const check = () => checkKey(runtime, authorization, address)
  const work = async (): Promise<[Authenticated, PromiseSettledResult<unknown> | null]> => {
    const [checked, outcome] =
      known && read ? await sendTogether(runtime, check, read, known.actor) : ([await check(), null] as const)
    // After the read: it can wait for a lock on the key's row, and so must not share a connection.
    await recordUse(runtime, checked)
    return [checked.authenticated, outcome]
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
  check: () => Promise<Checked>,
  read: EarlyRead,
  actor: Actor,
): Promise<[Checked, PromiseSettledResult<unknown> | null]> {
  const bounds = currentRequestBounds()
  const { pool } = db.$client
  // Behind a pooler, each statement has a transaction of its own.
  if (!bounds || pool.options.isPooled) return [await check(), null]
  const both = () => Promise.allSettled([check(), read.send(actor)])
  const [checked, outcome] = await pool.together(bounds, read.isShort, both)
  if (checked.status === 'rejected') throw checked.reason
  return [checked.value, outcome]
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
