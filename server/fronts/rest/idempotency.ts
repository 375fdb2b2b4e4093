import { setTimeout } from 'node:timers/promises'
import type { Db, Queryable } from '#db/client.ts'
import { causesOf } from '#db/errors.ts'
import { ApiError, fieldInvalid } from '../../errors.ts'
import type { Admitted } from '../../http/admission.ts'
import type { Answer, Answers, StoredAnswer } from './idempotent-answers.ts'
import type { Route } from './route.ts'

// Safe retries: a POST with an `Idempotency-Key` changes something at most once, and each repetition gets the first
// response. The response is stored in the transaction of the change, so a crash keeps both or neither. Errors changed
// nothing, so they are not stored.

const HEADER = 'Idempotency-Key'

/** The header as a parameter of the OpenAPI document. */
export const IDEMPOTENCY_PARAMETER = {
  name: HEADER,
  in: 'header' as const,
  description:
    'Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content ' +
    'gets the response of the first successful one again and changes nothing, if its member still has permission. Errors ' +
    'are not stored. Use a new value, such as a UUID, for each operation.',
  example: '0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
}

/** How a request waits for the runs in the output of its operation. */
export type Waiting = {
  /** Returns whether it waits for one. */
  waits: (output: unknown) => boolean
  /** Waits, and returns the output as it is then. */
  finish: (output: unknown) => Promise<unknown>
  /** Returns whether the wait ended early: the client is gone, or the process stops. */
  isCutShort: () => boolean
}

/** How the facade runs the request's operation. */
export type Operation = Waiting & {
  route: Route
  answers: Answers
  /** Checks the operation's permission. @throws ApiError `not_found`, `insufficient_permissions` */
  permit: () => Promise<unknown>
  /** Calls the operation with this database. */
  operate: (db: Db) => Promise<unknown>
  /** Runs statements within the bounds of the request; can be refused for the load. */
  admitted: Admitted
  /** The same for what follows the change: it is not refused for the load. */
  completing: Admitted
  /** How long it waits for an earlier request with the same `Idempotency-Key`. */
  waitMs: number
}

const PAUSE_MS = { first: 50, max: 400 }

/**
 * Returns the request's `Idempotency-Key`; null for other methods than POST and without one.
 * @throws ApiError `field_invalid`
 */
export function readIdempotencyKey(request: Request): string | null {
  const key = request.method === 'POST' ? request.headers.get(HEADER) : null
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw fieldInvalid(HEADER, 'must be 1 to 255 visible ASCII characters')
  }
  return key
}

/** What a request gets: the first answer again, or the operation's. */
type Answered = Answer & { isRepeated: boolean }

/**
 * Returns the response to a request with an `Idempotency-Key`: the first one again if the member still has permission,
 * else the operation's.
 * @throws ApiError `idempotency_mismatch`, `idempotency_in_progress`, and those of the operation
 */
export async function answerOnce(db: Db, operation: Operation): Promise<Answered> {
  let until = Number.POSITIVE_INFINITY
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.max)) {
    const stored = await operation.admitted(() => operation.answers.find(db))
    if (!stored && performance.now() > until) {
      throw new ApiError('idempotency_in_progress', undefined, { 'Retry-After': '2' })
    }
    try {
      if (!stored) return { ...(await complete(db, operation, await execute(db, operation))), isRepeated: false }
      await operation.permit()
      if (!stored.isSameRequest) throw new ApiError('idempotency_mismatch')
      return { ...(await complete(db, operation, stored)), isRepeated: true }
    } catch (error) {
      if (!causesOf(error).some((cause) => cause instanceof Overtaken)) throw error
    }
    until = Math.min(until, performance.now() + operation.waitMs)
    await setTimeout(pauseMs)
  }
}

/** Another request with the same key is running, or has finished meanwhile. */
class Overtaken extends Error {}

/**
 * Calls the operation, and stores its answer. Its first transaction takes the request's lock, and stores the answer before
 * it commits. The transaction of an operation that changes something returns the operation's output.
 */
async function execute(db: Db, operation: Operation): Promise<StoredAnswer> {
  const { route, answers } = operation
  let stored = null as StoredAnswer | null
  const store = async (within: Queryable, output: unknown, isFinal: boolean) => {
    const kept = await answers.store(within, answerOf(operation, output), isFinal)
    if (kept === null) throw new Overtaken()
    return kept
  }
  const transaction: Db['transaction'] = async (work, config) => {
    if (stored) return db.transaction(work, config)
    const done = await db.transaction(async (tx) => {
      // The request that had the lock may have stored its answer after this one looked for it.
      if (!(await answers.lock(tx)) || (await answers.find(tx))) throw new Overtaken()
      const result = await work(tx)
      const output = route.output.parse(result)
      return { result, stored: await store(tx, output, !operation.waits(output)) }
    }, config)
    stored = done.stored
    return done.result
  }
  const output = await operation.operate(Object.assign(Object.create(db), { transaction }) as Db)
  if (stored) return stored
  // It changed nothing in a transaction.
  const finished = await operation.finish(output)
  return operation.completing(() => store(db, finished, true))
}

/** Returns a stored answer. One that waits for a run is completed when that is done: the first request to end decides. */
async function complete(db: Db, operation: Operation, { id, status, body, isFinal }: StoredAnswer): Promise<Answer> {
  if (isFinal) return { status, body }
  const answer = answerOf(operation, await operation.finish(JSON.parse(body)))
  // A repetition goes on waiting.
  if (operation.isCutShort()) return answer
  if (!(await operation.completing(() => operation.answers.complete(db, id, answer)))) throw new Overtaken()
  return answer
}

function answerOf({ route }: Operation, output: unknown): Answer {
  return { status: route.api.status ?? 200, body: JSON.stringify(output) }
}
