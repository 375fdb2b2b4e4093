import { z } from 'zod'
import { Id, pageOf } from './conventions.ts'

export const Group = z.object({ id: Id, name: z.string(), memberCount: z.int() }).meta({ id: 'Group' })
export const GroupPage = pageOf(Group, 'GroupPage')
