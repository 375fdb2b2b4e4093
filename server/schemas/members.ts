import { z } from 'zod'
import { Id, pageOf } from './conventions.ts'

export const Member = z
  .object({ userId: Id, displayName: z.string(), email: z.string(), isActive: z.boolean() })
  .meta({ id: 'Member', description: 'A member of the organization, active or disabled.' })
export const MemberPage = pageOf(Member, 'MemberPage')
