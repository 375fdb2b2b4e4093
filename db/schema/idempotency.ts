import { boolean, index, pgTable, smallint, unique, uuid } from '../drizzle.cjs'
import { bytes, createdAt, organizationKey, organizationRowId, parentForeignKey } from './columns.ts'
import { apiKeys } from './credentials.ts'

/**
 * The answer to a request with an `Idempotency-Key`, stored in the transaction of its change. A repeated request gets it
 * again for 24 hours; upkeep deletes it afterwards. An API key's rate limit bounds its rows.
 */
export const idempotentAnswers = pgTable(
  'idempotent_answers',
  {
    id: organizationRowId(),
    /** Deleted with its key. */
    organizationId: uuid('organization_id').notNull(),
    keyId: uuid('key_id').notNull(),
    /** SHA-256 of the `Idempotency-Key`. */
    digest: bytes('digest').notNull(),
    /** SHA-256 of method, path, query and body. */
    request: bytes('request').notNull(),
    status: smallint('status').notNull(),
    /** The body of the answer. */
    sealed: bytes('sealed').notNull(),
    /** False while the request still waits for the run that it asked for: the body is then what it would wait on. */
    isFinal: boolean('is_final').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('idempotent_answers', t.organizationId, [t.id]),
    unique('idempotent_answers_digest_key').on(t.organizationId, t.keyId, t.digest),
    parentForeignKey('idempotent_answers_api_key_fkey', [t.organizationId, t.keyId], apiKeys),
    index('idempotent_answers_created_idx').on(t.createdAt),
  ],
)
