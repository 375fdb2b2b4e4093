import { z } from 'zod'
import { GroupId, pageOf } from './conventions.ts'

export const Group = z
  .object({
    id: GroupId,
    name: z.string().meta({ description: 'The name, unique in the organization.', example: 'DevOps' }),
    memberCount: z.int().meta({ description: 'How many members it has.', example: 4 }),
  })
  .meta({ id: 'Group', description: 'Members that get access and permissions together.' })
export const GroupPage = pageOf(Group, 'GroupPage')
