import { check, index, pgTable, primaryKey, sql, text, unique, uuid } from '../drizzle.cjs'
import { bytes, createdAt, id, instant } from './columns.ts'
import { organizations } from './organizations.ts'
import { agents } from './resources.ts'

/** One-time tokens with which a remote agent enrols. Upkeep deletes them a day after they expire. */
export const agentEnrolments = pgTable(
  'agent_enrolments',
  {
    id: id(),
    /** Null for a shared agent, which the operator enrols. */
    organizationId: uuid('organization_id').references(() => organizations.id, { onDelete: 'cascade' }),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token; the token itself is not stored. */
    tokenDigest: bytes('token_digest').notNull(),
    /** The user who created the token; null for the operator's command. */
    createdBy: uuid('created_by'),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    createdAt: createdAt(),
  },
  (t) => [
    unique('agent_enrolments_token_key').on(t.tokenDigest),
    index('agent_enrolments_agent_idx').on(t.agentId),
    index('agent_enrolments_expires_idx').on(t.expiresAt),
  ],
)

/** The public keys of remote agents. The id is the `keyid` of signatures. Upkeep deletes a key 90 days after it is revoked. */
export const agentKeys = pgTable(
  'agent_keys',
  {
    id: id(),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    /** Ed25519, 32 bytes. */
    publicKey: bytes('public_key').notNull(),
    /** The host name that the agent gave. */
    name: text('name').notNull(),
    /** The user whose token registered it; null for the operator's command, and where that is not known. */
    createdBy: uuid('created_by'),
    createdAt: createdAt(),
    /** Written at most every ten seconds. */
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  (t) => [
    unique('agent_keys_public_key').on(t.publicKey),
    index('agent_keys_agent_idx').on(t.agentId),
    check('agent_keys_public_key_check', sql`octet_length(public_key) = 32`),
  ],
)

/**
 * The nonces of signed requests, until their signatures expire: a repeated request is refused. UNLOGGED like `rate_limits`: a
 * crash of the database forgets the nonces of ten minutes.
 */
export const agentNonces = pgTable(
  'agent_nonces',
  {
    keyId: uuid('key_id').notNull(),
    /** SHA-256 of the nonce. */
    nonce: bytes('nonce').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.keyId, t.nonce] }), index('agent_nonces_expires_idx').on(t.expiresAt)],
)
