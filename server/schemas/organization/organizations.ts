import { z } from 'zod'
import { Email, Reauthentication } from '../account/accounts.ts'
import { SectionPermissions } from '../account/permissions.ts'
import { LEVELS, SECTIONS } from '../account/sections.ts'
import { Id, Instant, Name, PageQuery, pageOf } from '../conventions.ts'
import { InvitedPlace, PlaceGrant } from './places.ts'

// The administration of an organization, offered by the dashboard only.

export const OrganizationName = z.object({ name: Name })

export const OrganizationRef = z.object({ id: Id, name: z.string() })

export const OrganizationSettings = z.object({
  id: Id,
  name: z.string(),
  timezone: z.string(),
  requireTotp: z.boolean(),
  createdAt: Instant,
})
export type OrganizationSettings = z.output<typeof OrganizationSettings>

export const OrganizationSettingsChange = z.object({
  name: Name.optional(),
  /** An IANA time zone. */
  timezone: z.string().min(1).max(64).optional(),
  requireTotp: z.boolean().optional(),
})

/** The level of every section. */
export const Sections = z.record(z.enum(SECTIONS), z.enum(LEVELS))

export const OrganizationMember = z.object({
  userId: Id,
  displayName: z.string(),
  email: z.string(),
  isActive: z.boolean(),
  isOwner: z.boolean(),
  /** Has a second factor: an authenticator app or a passkey. */
  hasTotp: z.boolean(),
  /** The member's own levels, without those of their groups. */
  permissions: Sections,
  groups: z.array(OrganizationRef),
  joinedAt: Instant,
})
export type OrganizationMember = z.output<typeof OrganizationMember>
export const OrganizationMemberPage = pageOf(OrganizationMember, 'OrganizationMemberPage')

/** Where a level of a section comes from: ownership, the member's own permission, or a group. */
const LevelSource = z.object({ kind: z.enum(['owner', 'own', 'group']), group: OrganizationRef.nullable() })
const SectionLevel = z.object({
  section: z.enum(SECTIONS),
  level: z.enum(LEVELS),
  sources: z.array(LevelSource.extend({ level: z.enum(LEVELS) })),
})

/** A member with what they may do in each section, and why. Sections without a permission are left out. */
export const MemberDetail = OrganizationMember.extend({ sections: z.array(SectionLevel) })
export type MemberDetail = z.output<typeof MemberDetail>

/** The most people that a member without access is referred to. */
export const CONTACTS_MAX = 5
export const Contacts = z.array(z.object({ name: z.string(), email: z.string(), isOwner: z.boolean() }))
export type Contacts = z.output<typeof Contacts>

export const MemberRef = z.object({ userId: Id })

const INVITED_PLACES_MAX = 50

export const InvitationRequest = z.object({
  email: Email,
  groupIds: z.array(Id).max(100).optional(),
  permissions: SectionPermissions.optional(),
  /** What the member gets access to, at most once each. */
  places: z.array(PlaceGrant).max(INVITED_PLACES_MAX).optional(),
})

/** Token and link are null when the link was mailed, because opening it verifies the address. */
export const CreatedInvitation = z.object({ id: Id, token: z.string().nullable(), url: z.string().nullable() })

export const OpenInvitation = z.object({
  id: Id,
  email: z.string(),
  groups: z.array(OrganizationRef),
  permissions: Sections,
  places: z.array(InvitedPlace),
  /** How many of its groups were deleted since. */
  lostGroups: z.int(),
  invitedBy: z.string().nullable(),
  createdAt: Instant,
  expiresAt: Instant,
})
export type OpenInvitation = z.output<typeof OpenInvitation>
export const OpenInvitationPage = pageOf(OpenInvitation, 'OpenInvitationPage')

export const OrganizationGroup = z.object({
  id: Id,
  name: z.string(),
  memberCount: z.int(),
  requireTotp: z.boolean(),
  permissions: Sections,
})
export type OrganizationGroup = z.output<typeof OrganizationGroup>
export const OrganizationGroupPage = pageOf(OrganizationGroup, 'OrganizationGroupPage')

export const GroupRef = z.object({ groupId: Id })
export const GroupCreate = z.object({
  name: Name,
  permissions: SectionPermissions,
  requireTotp: z.boolean().optional(),
})
export const GroupChange = GroupRef.extend(GroupCreate.partial().shape)
export const GroupMembership = GroupRef.extend({ userId: Id })
export const GroupMember = z.object({ userId: Id, displayName: z.string(), email: z.string(), isActive: z.boolean() })
export const GroupMemberPage = pageOf(GroupMember, 'GroupMemberPage')

export const OwnershipTransfer = Reauthentication.extend({ userId: Id })

/** `name` must repeat the organization's name, to prevent accidents. */
export const OrganizationRemoval = Reauthentication.extend({ name: z.string() })

export const AuditQuery = PageQuery.extend({
  action: z.string().max(64).optional(),
  entityType: z.string().max(64).optional(),
  entityId: Id.optional(),
  actorId: Id.optional(),
  /** Entries at or after this time. */
  since: Instant.optional(),
  /** Entries before this time. */
  until: Instant.optional(),
})

export const AuditEntry = z.object({
  id: Id,
  action: z.string(),
  entityType: z.string(),
  entityId: Id,
  entityName: z.string().nullable(),
  /** Null for actions of the system. The name is null when the account is gone. */
  actor: z.object({ id: Id, email: z.string(), name: z.string().nullable() }).nullable(),
  /** The API key of the request, null for a session. */
  key: z.object({ id: Id, name: z.string() }).nullable(),
  details: z.record(z.string(), z.unknown()),
  address: z.string().nullable(),
  createdAt: Instant,
})
export const AuditEntryPage = pageOf(AuditEntry, 'AuditEntryPage')

/** The people that the audit log can be filtered by. */
export const AUDIT_PEOPLE_MAX = 500
export const AuditPeople = z.array(z.object({ id: Id, name: z.string(), email: z.string() }))

export const KeyUsageQuery = PageQuery.extend({ keyId: Id.optional() })

/** The number of calls of an operation of the public API by one key in one hour. */
export const KeyUsage = z.object({
  /** The start of the hour, in UTC. */
  hour: Instant,
  key: z.object({ id: Id, name: z.string(), prefix: z.string() }),
  member: z.object({ id: Id, email: z.string() }),
  /** The operationId of the OpenAPI document. */
  operation: z.string(),
  requests: z.int(),
  /** Requests with a status of 400 or above. */
  refused: z.int(),
  lastUsedAt: Instant,
})
export type KeyUsage = z.output<typeof KeyUsage>
export const KeyUsagePage = pageOf(KeyUsage, 'KeyUsagePage')
