import { z } from 'zod'
import { Id, PageQuery, pageOf } from '../conventions.ts'
import { RESOURCE_TYPES, ResourceType } from '../scopes.ts'
import { SearchText } from './search.ts'

// Workspaces, projects and services as places to which the dashboard gives access, and who reaches them and why.

/** The most places that a search returns. */
export const FOUND_PLACES = 20

export const PlaceSearch = z.object({ q: SearchText.default(''), level: z.enum(['read', 'write']).default('write') })

/** `path` has the names above it, such as `Shop / Checkout`; null for a workspace. */
export const FoundPlace = z.object({
  resourceType: ResourceType,
  resourceId: Id,
  name: z.string(),
  path: z.string().nullable(),
})
export type FoundPlace = z.output<typeof FoundPlace>

/** The level and the alerts that a new member gets on a place. */
export const PlaceGrant = z.object({
  resourceType: z.enum(RESOURCE_TYPES),
  resourceId: Id,
  permissions: z.union([z.literal(1), z.literal(2)], 'must be 1 (read) or 2 (write)'),
  notify: z.boolean().default(true),
})

/** A place as another member may see it: id and name are null if they do not reach it. */
const Seen = { resourceType: ResourceType, resourceId: Id.nullable(), name: z.string().nullable() }
const SeenWithPath = { ...Seen, path: z.string().nullable() }

/** A place in an open invitation. `isGone` if it was deleted since. */
export const InvitedPlace = z.object({ ...Seen, permissions: z.int(), notify: z.boolean(), isGone: z.boolean() })

/** A grant of a group. `mayWrite` if the reader may change it. */
export const PlacedGrant = z.object({
  ...SeenWithPath,
  permissions: z.int(),
  notify: z.boolean(),
  mayWrite: z.boolean(),
})
export type PlacedGrant = z.output<typeof PlacedGrant>
export const PlacedGrantPage = pageOf(PlacedGrant, 'PlacedGrantPage')

const NamedGroup = z.object({ id: Id, name: z.string() })

/** Why a member reaches a place: a grant on it, or on `above`; the member's own, or of a group. */
export const ReachReason = z.object({
  group: NamedGroup.nullable(),
  above: z.object({ resourceType: ResourceType, name: z.string() }).nullable(),
  permissions: z.int(),
  notify: z.boolean(),
})
export type ReachReason = z.output<typeof ReachReason>

/** A place with a grant of a member or of one of their groups. `permissions` is the highest level of all reasons. */
export const ReachedPlace = z.object({
  ...SeenWithPath,
  permissions: z.int(),
  reasons: z.array(ReachReason),
  /** The member has a grant of their own here, which the reader may change if `mayWrite`. */
  hasOwnGrant: z.boolean(),
  mayWrite: z.boolean(),
})
export type ReachedPlace = z.output<typeof ReachedPlace>
export const ReachedPlacePage = pageOf(ReachedPlace, 'ReachedPlacePage')

export const ReachedPlacesQuery = PageQuery.extend({ userId: Id })
