import { z } from 'zod'
import { Instant, idOf, OrganizationId, openEnum, UserId } from './conventions.ts'

export const KEY_ACCESS = ['read', 'write'] as const

export const ApiKeyInfo = z
  .object({
    id: idOf('The id of the key.', '019aa0e0-0303-7abc-8def-0123456789ab'),
    name: z.string().meta({ description: 'The name that the member gave the key.', example: 'GitHub Actions' }),
    prefix: z.string().meta({ description: 'The first eleven characters of the key.', example: 'sl_3fA9xK2p' }),
    access: openEnum(KEY_ACCESS).meta({
      description: 'A `read` key may send only GET and HEAD; a `write` key may do what its member may.',
      example: 'write',
    }),
    expiresAt: Instant.nullable().meta({
      description: 'When the key expires; null when it never does.',
      example: '2027-11-20T00:00:00.000Z',
    }),
    organization: z
      .object({
        id: OrganizationId,
        name: z.string().meta({ description: 'The name of the organization.', example: 'Example Ltd' }),
      })
      .meta({ description: 'The organization that the key belongs to.' }),
    user: z
      .object({
        id: UserId,
        email: z.string().meta({ description: "The member's address.", example: 'ada@example.com' }),
      })
      .meta({ description: 'The member the key acts as.' }),
  })
  .meta({ id: 'ApiKeyInfo', description: 'The calling key.' })
export type ApiKeyInfo = z.output<typeof ApiKeyInfo>
