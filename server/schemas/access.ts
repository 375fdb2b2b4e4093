import { z } from 'zod'
import { Id, openEnum } from './conventions.ts'
import { ResourceType } from './scopes.ts'

export const PRINCIPAL_TYPES = ['user', 'group'] as const
export const PrincipalType = z.enum(PRINCIPAL_TYPES)

export const AccessEntry = z
  .object({
    principalType: openEnum(PRINCIPAL_TYPES),
    principalId: Id.meta({ description: "A user's id as the members list gives it, or a group's." }),
    name: z.string(),
    email: z.string().optional().meta({ description: 'Of users only.' }),
    permissions: z.int().meta({ description: '1 read, 2 write.' }),
  })
  .meta({ id: 'AccessEntry', description: 'A level that one member or one group holds on a resource and all beneath.' })
export type AccessEntry = z.output<typeof AccessEntry>

export const AccessResource = z.object({ resourceType: ResourceType, resourceId: Id })

export const AccessGrant = AccessResource.extend({
  // Checked in the operation: an unknown kind of principal is `field_invalid`, not a malformed body.
  principalType: z.string().meta({ override: { enum: [...PRINCIPAL_TYPES] } }),
  principalId: Id,
  permissions: z.union([z.literal(1), z.literal(2)], 'must be 1 (read) or 2 (write)'),
})

export const AccessRemoval = AccessResource.extend({ principalType: PrincipalType, principalId: Id })
