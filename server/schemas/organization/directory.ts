import { z } from 'zod'
import { Id, pageOf } from '../conventions.ts'

export const Member = z
  .object({ userId: Id, displayName: z.string(), email: z.string(), isActive: z.boolean() })
  .meta({ id: 'Member', description: 'A member of the organization; disabled ones are listed too.' })
export const MemberPage = pageOf(Member, 'MemberPage')

export const Group = z.object({ id: Id, name: z.string(), memberCount: z.int() }).meta({ id: 'Group' })
export const GroupPage = pageOf(Group, 'GroupPage')
