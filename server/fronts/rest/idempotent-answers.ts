import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { matchesId } from '#db/row-match.ts'
import { idempotentAnswers } from '#db/schema/idempotency.ts'
import type { Vault } from '../../vault.ts'

/** A request with an `Idempotency-Key`. */
export type KeyedRequest = {
  organizationId: string
  /** The API key. */
  keyId: string
  /** SHA-256 of the `Idempotency-Key`. */
  digest: Buffer
  /** SHA-256 of everything that makes two requests the same. */
  request: Buffer
}

export type Answer = { status: number; body: string }
export type StoredAnswer = Answer & { id: string; isSameRequest: boolean; isFinal: boolean }

/** Larger responses are refused. The largest of an operation is a few hundred kilobytes. */
const ANSWER_MAX_BYTES = 1_048_576
const table = idempotentAnswers
const isFresh = sql`${table.createdAt} > statement_timestamp() - interval '24 hours'`

/** Returns the digest of the parts, each of which may contain anything. */
export function digestOf(...parts: (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return hash.digest()
}

/** Returns the answer that an earlier request with the same `Idempotency-Key` got; null without one. */
export async function findAnswer(db: Queryable, vault: Vault, keyed: KeyedRequest): Promise<StoredAnswer | null> {
  const [row] = await db
    .select()
    .from(table)
    .where(and(matchesId(table.keyId, keyed.organizationId, keyed.keyId), eq(table.digest, keyed.digest), isFresh))
  if (!row) return null
  const { id, status, isFinal } = row
  const body = vault.open(row.sealed, 'answer', keyed.organizationId, id)
  return { id, status, body, isFinal, isSameRequest: keyed.request.equals(row.request) }
}

/** Takes the request's lock until the transaction ends. Returns false while another transaction holds it. */
export async function lockKeyed(tx: Tx, { keyId, digest }: KeyedRequest): Promise<boolean> {
  const name = `idempotency:${keyId}:${digest.toString('hex')}`
  const [row] = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`,
  )
  return row?.locked === true
}

/** Stores an answer. Returns its id, or null when there is one already. */
export async function storeAnswer(
  db: Queryable,
  vault: Vault,
  { organizationId, keyId, digest, request }: KeyedRequest,
  { status, body }: Answer,
  isFinal: boolean,
): Promise<string | null> {
  const id = uuidv7()
  const values = { id, status, sealed: seal(vault, organizationId, id, body), isFinal, request }
  const [row] = await db
    .insert(table)
    .values({ ...values, organizationId, keyId, digest })
    .onConflictDoUpdate({
      target: [table.organizationId, table.keyId, table.digest],
      set: { ...values, createdAt: sql`statement_timestamp()` },
      setWhere: sql`not (${isFresh})`,
    })
    .returning({ id: table.id })
  return row?.id ?? null
}

/** Replaces the body of an answer that is not final yet. Returns false when it is. */
export async function completeAnswer(
  db: Queryable,
  vault: Vault,
  organizationId: string,
  id: string,
  { status, body }: Answer,
): Promise<boolean> {
  const completed = await db
    .update(table)
    .set({ status, sealed: seal(vault, organizationId, id, body), isFinal: true })
    .where(and(matchesId(table.id, organizationId, id), eq(table.isFinal, false)))
    .returning({ id: table.id })
  return completed.length > 0
}

function seal(vault: Vault, organizationId: string, id: string, body: string): Buffer {
  if (Buffer.byteLength(body) > ANSWER_MAX_BYTES) throw new Error('The answer is too large to be kept')
  return vault.seal(body, 'answer', organizationId, id)
}
