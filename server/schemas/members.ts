import { z } from 'zod'
import { Id, pageOf } from './conventions.ts'

export const Member = z
  .object({ userId: Id, displayName: z.string(), email: z.string(), isActive: z.boolean() })
  .meta({ id: 'Member', description: 'A member of the organization; disabled ones are listed too.' })
export const MemberPage = pageOf(Member, 'MemberPage')
