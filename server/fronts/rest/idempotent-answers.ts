import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { and, eq, sql } from '#db/drizzle.cjs'
import { matchesId } from '#db/row-match.ts'
import { idempotentAnswers } from '#db/schema/idempotency.ts'
import type { Vault } from '../../vault.ts'

/** A request with an `Idempotency-Key`. */
export type KeyedRequest = {
  organizationId: string
  /** The API key. */
  keyId: string
  /** The `Idempotency-Key`. */
  name: string
  /** Everything that makes two requests the same. */
  content: (string | Uint8Array)[]
}

export type Answer = { status: number; body: string }
export type StoredAnswer = Answer & { id: string; isFinal: boolean }

/** Larger responses are refused. The largest of an operation is a few hundred kilobytes. */
const ANSWER_MAX_BYTES = 1_048_576
const table = idempotentAnswers
const isFresh = sql`${table.createdAt} > statement_timestamp() - interval '24 hours'`

export type Answers = ReturnType<typeof answersOf>

/** Returns the functions on the stored answer of a request. Answers are sealed. */
export function answersOf(vault: Vault, { organizationId, keyId, name, content }: KeyedRequest) {
  const [digest, request] = [digestOf(name), digestOf(...content)]
  const seal = (id: string, body: string) => {
    if (Buffer.byteLength(body) > ANSWER_MAX_BYTES) throw new Error('The answer is too large to be kept')
    return vault.seal(body, 'answer', organizationId, id)
  }
  return {
    /** Returns the answer that an earlier request with the same key got; null without one. */
    async find(db: Queryable): Promise<(StoredAnswer & { isSameRequest: boolean }) | null> {
      const isOwn = and(matchesId(table.keyId, organizationId, keyId), eq(table.digest, digest))
      const [row] = await db.select().from(table).where(and(isOwn, isFresh))
      if (!row) return null
      const { id, status, isFinal } = row
      const body = vault.open(row.sealed, 'answer', organizationId, id)
      return { id, status, body, isFinal, isSameRequest: request.equals(row.request) }
    },

    /** Takes the request's lock until the transaction ends. Returns false while another transaction holds it. */
    async lock(tx: Tx): Promise<boolean> {
      const lock = `idempotency:${keyId}:${digest.toString('hex')}`
      const [row] = await tx.execute<{ locked: boolean }>(
        sql`select pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) as locked`,
      )
      return row?.locked === true
    },

    /** Stores an answer. Returns null when there is one already. */
    async store(db: Queryable, { status, body }: Answer, isFinal: boolean): Promise<StoredAnswer | null> {
      const id = uuidv7()
      const values = { id, status, sealed: seal(id, body), isFinal, request }
      const [row] = await db
        .insert(table)
        .values({ ...values, organizationId, keyId, digest })
        .onConflictDoUpdate({
          target: [table.organizationId, table.keyId, table.digest],
          set: { ...values, createdAt: sql`statement_timestamp()` },
          setWhere: sql`not (${isFresh})`,
        })
        .returning({ id: table.id })
      return row ? { id, status, body, isFinal } : null
    },

    /** Replaces the body of an answer that is not final yet. Returns false when it is. */
    async complete(db: Queryable, id: string, { status, body }: Answer): Promise<boolean> {
      const completed = await db
        .update(table)
        .set({ status, sealed: seal(id, body), isFinal: true })
        .where(and(matchesId(table.id, organizationId, id), eq(table.isFinal, false)))
        .returning({ id: table.id })
      return completed.length > 0
    },
  }
}

/** Returns the digest of the parts, each of which may contain anything. */
function digestOf(...parts: (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return hash.digest()
}
