import { setTimeout } from 'node:timers/promises'
import type { Db, Tx } from '#db/client.ts'
import { causesOf } from '#db/errors.ts'
import type { Runtime } from '../../context.ts'
import { ApiError, fieldInvalid } from '../../errors.ts'
import type { Admitted } from '../../http/admission.ts'
import {
  type Answer,
  completeAnswer,
  digestOf,
  findAnswer,
  type KeyedRequest,
  lockKeyed,
  type StoredAnswer,
  storeAnswer,
} from './idempotent-answers.ts'
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

/** What a request gets: the first answer again, or the operation's. */
export type Answered = Answer & { isRepeated: boolean }

/** How the facade runs the request's operation. */
export type Operation = {
  route: Route
  keyed: KeyedRequest
  /** Checks the operation's permission. @throws ApiError `not_found`, `insufficient_permissions` */
  permit: () => Promise<unknown>
  /** Calls the operation with this database. */
  operate: (db: Db) => Promise<unknown>
  /** Returns whether the request waits for a run in the output. */
  waits: (output: unknown) => boolean
  /** Waits for it, and returns the output as it is then. */
  finish: (output: unknown) => Promise<unknown>
  /** Returns whether the wait ended early: the client is gone, or the process stops. */
  isCutShort: () => boolean
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

/** Returns the identity of the request, given its body. */
export function keyedRequest(
  key: string,
  actor: { organizationId: string; keyId: string },
  { method, path, query }: { method: string; path: string; query: string },
  body: Uint8Array,
): KeyedRequest {
  return { ...actor, digest: digestOf(key), request: digestOf(method, path, query, body) }
}

/**
 * Returns the response to a request with an `Idempotency-Key`: the first one again if the member still has permission,
 * else the operation's.
 * @throws ApiError `idempotency_mismatch`, `idempotency_in_progress`, and those of the operation
 */
export async function answerOnce(runtime: Runtime, operation: Operation): Promise<Answered> {
  const { admitted, keyed } = operation
  let until = Number.POSITIVE_INFINITY
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.max)) {
    const stored = await admitted(() => findAnswer(runtime.db, runtime.vault, keyed))
    if (!stored && performance.now() > until) {
      throw new ApiError('idempotency_in_progress', undefined, { 'Retry-After': '2' })
    }
    try {
      return await (stored ? repeat(runtime, operation, stored) : execute(runtime, operation))
    } catch (error) {
      if (!causesOf(error).some((cause) => cause instanceof Overtaken)) throw error
    }
    until = Math.min(until, performance.now() + operation.waitMs)
    await setTimeout(pauseMs)
  }
}

/** Another request with the same key is running, or has finished meanwhile. */
class Overtaken extends Error {}

async function execute(runtime: Runtime, operation: Operation): Promise<Answered> {
  const { keyed, completing } = operation
  const { db, stored } = storingDatabase(runtime, operation)
  const output = await operation.operate(db)
  const first = stored()
  if (first?.isFinal) return { ...first.answer, isRepeated: false }
  if (first) return { ...(await complete(runtime, operation, first.id, output)), isRepeated: false }
  // It changed nothing in a transaction.
  const answer = answerOf(operation, await operation.finish(output))
  if ((await completing(() => storeAnswer(runtime.db, runtime.vault, keyed, answer, true))) === null) {
    throw new Overtaken()
  }
  return { ...answer, isRepeated: false }
}

/** Returns the stored answer again, if the member may still do what was done. */
async function repeat(runtime: Runtime, operation: Operation, stored: StoredAnswer): Promise<Answered> {
  await operation.permit()
  if (!stored.isSameRequest) throw new ApiError('idempotency_mismatch')
  const { id, status, body, isFinal } = stored
  const answer = isFinal ? { status, body } : await complete(runtime, operation, id, JSON.parse(body))
  return { ...answer, isRepeated: true }
}

/** Waits for the run in the output of a stored answer, and stores the answer that it makes: the first to end decides. */
async function complete(runtime: Runtime, operation: Operation, id: string, output: unknown): Promise<Answer> {
  const { completing, keyed } = operation
  const answer = answerOf(operation, await operation.finish(output))
  // A repetition goes on waiting.
  if (operation.isCutShort()) return answer
  const isFirst = await completing(() => completeAnswer(runtime.db, runtime.vault, keyed.organizationId, id, answer))
  if (!isFirst) throw new Overtaken()
  return answer
}

/**
 * Returns the database for the operation: its first transaction takes the request's lock, and before it commits, it stores
 * the answer that its result makes. The transaction of an operation that changes something returns the operation's output.
 */
function storingDatabase({ db, vault }: Runtime, operation: Operation) {
  const { keyed, route } = operation
  let stored: { id: string; answer: Answer; isFinal: boolean } | null = null
  const store = async (tx: Tx, result: unknown) => {
    const output = route.output.parse(result)
    const answer = answerOf(operation, output)
    const isFinal = !operation.waits(output)
    const id = await storeAnswer(tx, vault, keyed, answer, isFinal)
    if (id === null) throw new Overtaken()
    return { id, answer, isFinal }
  }
  const transaction: Db['transaction'] = async (work, config) => {
    if (stored) return db.transaction(work, config)
    const done = await db.transaction(async (tx) => {
      // The request that had the lock may have stored its answer after this one looked for it.
      if (!(await lockKeyed(tx, keyed)) || (await findAnswer(tx, vault, keyed))) throw new Overtaken()
      const result = await work(tx)
      return { result, stored: await store(tx, result) }
    }, config)
    stored = done.stored
    return done.result
  }
  return { db: Object.assign(Object.create(db), { transaction }) as Db, stored: () => stored }
}

function answerOf({ route }: Operation, output: unknown): Answer {
  return { status: route.api.status ?? 200, body: JSON.stringify(output) }
}
