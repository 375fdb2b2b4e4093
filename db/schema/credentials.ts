import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, id, instant } from './columns.ts'
import { organizations, users } from './organizations.ts'

/** The sealed cookie holds only the id; every request looks the row up, so a session can be ended. */
export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The organization the session works in; null only when the last membership is gone. */
    organizationId: uuid('organization_id').references(() => organizations.id, { onDelete: 'set null' }),
    /** `users.sessionEpoch` at sign-in. */
    epoch: integer('epoch').notNull(),
    address: text('address').notNull(),
    userAgent: text('user_agent').notNull(),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    createdAt: createdAt(),
  },
  (t) => [index('sessions_user_idx').on(t.userId)],
)

/** Links by which someone who forgot their password sets another. */
export const passwordResets = pgTable(
  'password_resets',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** `users.sessionEpoch` when it was made: a password or second factor changed since makes it worthless. */
    epoch: integer('epoch').notNull(),
    tokenDigest: bytes('token_digest').notNull(),
    /** The link went by mail alone: who opens it holds the address. */
    isMailed: boolean('is_mailed').notNull().default(false),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [unique('password_resets_token_key').on(t.tokenDigest), index('password_resets_user_idx').on(t.userId)],
)

/** What the links to the first account derive from, beside the secret keys. Its one row goes when the account is made. */
export const setupLinks = pgTable(
  'setup_links',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    nonce: uuid('nonce').notNull().defaultRandom(),
  },
  () => [check('setup_links_only_check', sql`is_only`)],
)

/** Links by which a member shows that an address is theirs: their own, or the one it is to become. */
export const emailConfirmations = pgTable(
  'email_confirmations',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    /** `users.sessionEpoch` when it was made, as of a password reset. */
    epoch: integer('epoch').notNull(),
    tokenDigest: bytes('token_digest').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('email_confirmations_token_key').on(t.tokenDigest),
    index('email_confirmations_user_idx').on(t.userId),
  ],
)

export const apiKeys = pgTable(
  'api_keys',
  {
    id: id(),
    organizationId: uuid('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The first eleven characters, for lists. */
    prefix: text('prefix').notNull(),
    /** SHA-256 of the whole token text; the token itself is nowhere. */
    digest: bytes('digest').notNull(),
    access: text('access').$type<'read' | 'write'>().notNull(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    /** Last success, written at most every ten seconds; within five minutes it exempts from the address budget. */
    lastOkAt: instant('last_ok_at'),
    createdAt: createdAt(),
  },
  (t) => [
    unique('api_keys_digest_key').on(t.digest),
    index('api_keys_member_idx').on(t.userId, t.organizationId),
    check('api_keys_access_check', sql`access in ('read', 'write')`),
  ],
)

/**
 * Request budgets in fixed windows, counted by the database's clock. UNLOGGED: a crash forgets the counts, which
 * lets at most one window's requests through again and costs a third of a logged table's writes.
 */
export const rateLimits = pgTable('budgets', {
  key: bytes('key').primaryKey(),
  /** The start of the window, in epoch seconds. */
  window: bigint('win', { mode: 'number' }).notNull(),
  spent: integer('spent').notNull(),
})
