import { z } from 'zod'
import { openEnum, UserId } from './conventions.ts'
import { ResourceRef } from './scopes.ts'

export const PRINCIPAL_TYPES = ['user', 'group'] as const
const TYPE = { description: 'What gets the level: a member (`user`) or a `group`.', example: 'user' }
export const PrincipalType = z.enum(PRINCIPAL_TYPES).meta(TYPE)
const PrincipalId = UserId.meta({ description: 'The `userId` of a member, or the id of a group.' })
const NOTIFY = {
  description:
    'Whether its members are notified of failures. When omitted, it stays as it is; for a new grant, it is true.',
  example: true,
}
const LEVEL = { description: '1 read, 2 write.', example: 2 }

export const AccessEntry = z
  .object({
    principalType: openEnum(PRINCIPAL_TYPES).meta(TYPE),
    principalId: PrincipalId,
    name: z.string().meta({ description: 'The name of the member or the group.', example: 'Ada Lovelace' }),
    email: z.string().optional().meta({ description: 'For users only.', example: 'ada@example.com' }),
    permissions: z.int().meta(LEVEL),
    notify: z.boolean().meta({
      description: 'Whether the member, or the members of the group, are notified of failures because of this grant.',
      example: true,
    }),
  })
  .meta({
    id: 'AccessEntry',
    description: 'The level of a member or a group on a resource and everything in it, and whether they are notified.',
  })
export type AccessEntry = z.output<typeof AccessEntry>

export const AccessGrant = ResourceRef.extend({
  // Checked by the operation, because an unknown type is `field_invalid` and not `invalid_request_body`.
  principalType: z.string().meta({ ...TYPE, override: { enum: [...PRINCIPAL_TYPES] } }),
  principalId: PrincipalId,
  permissions: z.union([z.literal(1), z.literal(2)], 'must be 1 (read) or 2 (write)').meta(LEVEL),
  notify: z.boolean().optional().meta(NOTIFY),
})

export const AccessRemoval = ResourceRef.extend({ principalType: PrincipalType, principalId: PrincipalId })
