import { bigint, boolean, check, index, integer, pgTable, sql, text, unique, uuid } from '../drizzle.cjs'
import { bytes, createdAt, id, instant, organizationKey, organizationRowId, parentForeignKey } from './columns.ts'
import { organizationId, organizations, userId } from './organizations.ts'
import { projects } from './resources.ts'

/** The sealed cookie contains only the id. Each request reads the row, so a session can be revoked. */
export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    userId: userId(),
    /** The session's current organization; null when the user's last membership is gone. */
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

/** Passkeys: a second factor after the password, and a way to sign in without one. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: userId(),
    name: text('name').notNull(),
    /** The id that the authenticator gave it. */
    credentialId: bytes('credential_id').notNull(),
    /** In the form of COSE. */
    publicKey: bytes('public_key').notNull(),
    /** How often the authenticator used it, by the last use here; 0 if it does not count. A lower one is a copy's. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    lastUsedAt: instant('last_used_at'),
    createdAt: createdAt(),
  },
  (t) => [unique('passkeys_credential_key').on(t.credentialId), index('passkeys_user_idx').on(t.userId)],
)

/** Links with which a user sets a new password. */
export const passwordResets = pgTable(
  'password_resets',
  {
    id: id(),
    userId: userId(),
    /** `users.sessionEpoch` at creation: a later change of password or second factor invalidates the link. */
    epoch: integer('epoch').notNull(),
    tokenDigest: bytes('token_digest').notNull(),
    /** The link was sent by mail only, so opening it proves the address. */
    isMailed: boolean('is_mailed').notNull().default(false),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [unique('password_resets_token_key').on(t.tokenDigest), index('password_resets_user_idx').on(t.userId)],
)

/**
 * The nonce that setup links derive from, with the secret keys. The one row is deleted when the first account is
 * created.
 */
export const setupLinks = pgTable(
  'setup_links',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    nonce: uuid('nonce').notNull().defaultRandom(),
  },
  () => [check('setup_links_only_check', sql`is_only`)],
)

/** Links by which a user proves an address: the current one or a new one. */
export const emailConfirmations = pgTable(
  'email_confirmations',
  {
    id: id(),
    userId: userId(),
    email: text('email').notNull(),
    /** `users.sessionEpoch` at creation, as for password resets. */
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
    id: organizationRowId(),
    organizationId: organizationId(),
    userId: userId(),
    name: text('name').notNull(),
    /** The first eleven characters, for lists. */
    prefix: text('prefix').notNull(),
    /** SHA-256 of the token; the token itself is not stored. */
    digest: bytes('digest').notNull(),
    access: text('access').$type<'read' | 'write'>().notNull(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    /** Last use, written at most every ten seconds. A use within five minutes exempts from the limit per address. */
    lastOkAt: instant('last_ok_at'),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('api_keys', t.organizationId, [t.id]),
    unique('api_keys_digest_key').on(t.digest),
    index('api_keys_member_idx').on(t.userId, t.organizationId),
    check('api_keys_access_check', sql`access in ('read', 'write')`),
  ],
)

/**
 * Rate limits in fixed windows by the database's clock. UNLOGGED: an update costs 40 % of the time that a logged
 * table takes, and a crash loses the counts of one window at most.
 */
export const rateLimits = pgTable('rate_limits', {
  key: bytes('key').primaryKey(),
  /** The start of the window, in epoch seconds. */
  windowStart: bigint('window_start', { mode: 'number' }).notNull(),
  /** The requests or attempts of the window. */
  used: integer('used').notNull(),
})

/**
 * The tokens with which a monitoring system reads the metrics of a project. They are deleted with the project, and are not
 * restored with it. A project has at most ten.
 */
export const projectTokens = pgTable(
  'project_tokens',
  {
    id: organizationRowId(),
    organizationId: uuid('organization_id').notNull(),
    projectId: uuid('project_id').notNull(),
    /** The member who created it. Without this membership, the token is refused. */
    membershipId: uuid('membership_id'),
    name: text('name').notNull(),
    /** The first eleven characters, for lists. */
    prefix: text('prefix').notNull(),
    /** SHA-256 of the token; the token itself is not stored. */
    digest: bytes('digest').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('project_tokens', t.organizationId, [t.id]),
    unique('project_tokens_digest_key').on(t.digest),
    unique('project_tokens_name_key').on(t.organizationId, t.projectId, t.name),
    index('project_tokens_project_idx').on(t.organizationId, t.projectId),
    parentForeignKey('project_tokens_project_fkey', [t.organizationId, t.projectId], projects),
  ],
)
