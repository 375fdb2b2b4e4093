// Similar tables need the same column types, so the import lists of the schema files are alike.
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  sql,
  text,
  unique,
  uuid,
} from '../drizzle.cjs'
import {
  bytes,
  createdAt,
  id,
  instant,
  organizationKey,
  organizationRowId,
  parentForeignKey,
  sectionColumns,
} from './columns.ts'

export const organizations = pgTable('organizations', {
  id: id(),
  name: text('name').notNull(),
  /** IANA name; the default zone of maintenance windows and quiet hours. */
  timezone: text('timezone').notNull().default('UTC'),
  requireTotp: boolean('require_totp').notNull().default(false),
  /** The organization of those who operate the installation: the first one. Its owner sees the System page. */
  isOperator: boolean('is_operator').notNull().default(false),
  /** When a member said where alerts should go, or to ask no more; null until then. */
  alertsAnsweredAt: instant('alerts_answered_at'),
  createdAt: createdAt(),
})

export const users = pgTable(
  'users',
  {
    id: id(),
    /** Lower case; the sign-in name. */
    email: text('email').notNull(),
    /** When the user opened a link that was mailed to the address; null until then. */
    emailVerifiedAt: instant('email_verified_at'),
    displayName: text('display_name').notNull(),
    passwordHash: text('password_hash').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    /** Sealed by the vault; set but not yet confirmed while `totpEnrolledAt` is null. */
    totpSecret: bytes('totp_secret'),
    totpEnrolledAt: instant('totp_enrolled_at'),
    /** The last accepted time step: each code is accepted once. */
    totpLastStep: bigint('totp_last_step', { mode: 'number' }).notNull().default(0),
    /** Raised by a change of password or second factor, which invalidates sessions and links of older epochs. */
    sessionEpoch: integer('session_epoch').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [unique('users_email_key').on(t.email)],
)

/** The organization of a row. The row is deleted with it. */
export const organizationId = () =>
  uuid('organization_id')
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' })

/** The user of a row. The row is deleted with the user. */
export const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: userId(),
    digest: bytes('digest').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.digest] })],
)

/** A user in an organization. Its id is the contract's `orgUserId`. */
export const memberships = pgTable(
  'memberships',
  {
    id: organizationRowId(),
    organizationId: organizationId(),
    userId: userId(),
    isOwner: boolean('is_owner').notNull().default(false),
    isActive: boolean('is_active').notNull().default(true),
    ...sectionColumns(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('memberships', t.organizationId, [t.id]),
    unique('memberships_user_key').on(t.organizationId, t.userId),
    index('memberships_user_idx').on(t.userId),
    check('memberships_sections_check', sectionCheck()),
  ],
)

export const groups = pgTable(
  'groups',
  {
    id: organizationRowId(),
    organizationId: organizationId(),
    name: text('name').notNull(),
    requireTotp: boolean('require_totp').notNull().default(false),
    ...sectionColumns(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('groups', t.organizationId, [t.id]),
    unique('groups_name_key').on(t.organizationId, t.name),
    check('groups_sections_check', sectionCheck()),
  ],
)

export const groupMembers = pgTable(
  'group_members',
  {
    organizationId: uuid('organization_id').notNull(),
    groupId: uuid('group_id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('group_members', t.organizationId, [t.groupId, t.membershipId]),
    index('group_members_membership_idx').on(t.membershipId),
    parentForeignKey('group_members_group_fkey', [t.organizationId, t.groupId], groups),
    parentForeignKey('group_members_membership_fkey', [t.organizationId, t.membershipId], memberships),
  ],
)

/** A grant that an invitation promises. */
export type InvitedPlace = {
  resourceType: 'workspace' | 'project' | 'service'
  resourceId: string
  name: string
  permissions: 1 | 2
  notify: boolean
}

export const invitations = pgTable(
  'invitations',
  {
    id: organizationRowId(),
    organizationId: organizationId(),
    email: text('email').notNull(),
    tokenDigest: bytes('token_digest').notNull(),
    /** The link was sent by mail only, so opening it proves the address. */
    isMailed: boolean('is_mailed').notNull().default(false),
    groupIds: uuid('group_ids').array().notNull().default([]),
    /** Sections given on acceptance: `{section: 0 | 1 | 2}`. */
    permissions: jsonb('permissions').$type<Record<string, number>>().notNull().default({}),
    /** The grants given on acceptance. The names are for the time when a place is gone. */
    places: jsonb('places').$type<InvitedPlace[]>().notNull().default([]),
    invitedBy: uuid('invited_by').notNull(),
    expiresAt: instant('expires_at').notNull(),
    acceptedAt: instant('accepted_at'),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('invitations', t.organizationId, [t.id]),
    unique('invitations_token_key').on(t.tokenDigest),
    index('invitations_organization_idx').on(t.organizationId, t.createdAt),
  ],
)

/** A domain whose ownership an organization proves by DNS. Covers its subdomains. */
export const domains = pgTable(
  'domains',
  {
    id: organizationRowId(),
    organizationId: organizationId(),
    domain: text('domain').notNull(),
    /** The required value of the DNS TXT record. */
    token: text('token').notNull(),
    /** Null until verified, and again when the verification lapses. */
    verifiedAt: instant('verified_at'),
    lastCheckedAt: instant('last_checked_at'),
    /** When a check last found the record. */
    lastSeenAt: instant('last_seen_at'),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('domains', t.organizationId, [t.id]),
    unique('domains_domain_key').on(t.organizationId, t.domain),
  ],
)

function sectionCheck() {
  return sql`section_users between 0 and 2 and section_settings between 0 and 2 and section_domains between 0 and 2 and section_webhooks between 0 and 2 and section_org_admin between 0 and 2 and section_workspaces between 0 and 2`
}

/** What a member searches for on the board, under a name of the member's own. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: organizationRowId(),
    organizationId: uuid('organization_id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    name: text('name').notNull(),
    /** The query of the board's address, without its question mark. */
    query: text('query').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('saved_views', t.organizationId, [t.id]),
    unique('saved_views_name_key').on(t.organizationId, t.membershipId, t.name),
    index('saved_views_membership_idx').on(t.membershipId),
    parentForeignKey('saved_views_membership_fkey', [t.organizationId, t.membershipId], memberships),
    check('saved_views_name_check', sql`char_length(name) between 1 and 64`),
    check('saved_views_query_check', sql`char_length(query) <= 2000`),
  ],
)
