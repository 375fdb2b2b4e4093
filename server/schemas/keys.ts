import { z } from 'zod'
import { Id, Instant, openEnum } from './conventions.ts'

export const KEY_ACCESS = ['read', 'write'] as const

export const ApiKeyInfo = z
  .object({
    id: Id,
    name: z.string(),
    prefix: z.string().meta({ description: 'The first eleven characters of the key.' }),
    access: openEnum(KEY_ACCESS),
    expiresAt: Instant.nullable().meta({ description: 'Null when the key never expires.' }),
    organization: z.object({ id: Id, name: z.string() }),
    user: z.object({ id: Id, email: z.string() }).meta({ description: 'The member the key acts as.' }),
  })
  .meta({ id: 'ApiKeyInfo', description: 'The calling key.' })
export type ApiKeyInfo = z.output<typeof ApiKeyInfo>
