import { z } from 'zod'
import { Id, openEnum } from './conventions.ts'
import { ResourceType } from './scopes.ts'

export const PRINCIPAL_TYPES = ['user', 'group'] as const
export const PrincipalType = z.enum(PRINCIPAL_TYPES)

export const AccessEntry = z
  .object({
    principalType: openEnum(PRINCIPAL_TYPES),
    principalId: Id.meta({ description: 'The `userId` of a member, or the id of a group.' }),
    name: z.string(),
    email: z.string().optional().meta({ description: 'For users only.' }),
    permissions: z.int().meta({ description: '1 read, 2 write.' }),
  })
  .meta({ id: 'AccessEntry', description: 'The level of a member or a group on a resource and everything in it.' })
export type AccessEntry = z.output<typeof AccessEntry>

export const AccessResource = z.object({ resourceType: ResourceType, resourceId: Id })

export const AccessGrant = AccessResource.extend({
  // Checked by the operation, because an unknown type is `field_invalid` and not `invalid_request_body`.
  principalType: z.string().meta({ override: { enum: [...PRINCIPAL_TYPES] } }),
  principalId: Id,
  permissions: z.union([z.literal(1), z.literal(2)], 'must be 1 (read) or 2 (write)'),
})

export const AccessRemoval = AccessResource.extend({ principalType: PrincipalType, principalId: Id })
