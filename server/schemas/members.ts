import { z } from 'zod'
import { pageOf, UserId } from './conventions.ts'

export const Member = z
  .object({
    userId: UserId.meta({ description: 'The id of the user, as in grants.' }),
    displayName: z.string().meta({ description: 'The name that others see.', example: 'Ada Lovelace' }),
    email: z.string().meta({ description: 'The address for sign-in and mails.', example: 'ada@example.com' }),
    isActive: z.boolean().meta({ description: 'False while the member is disabled.', example: true }),
  })
  .meta({ id: 'Member', description: 'A member of the organization, active or disabled.' })
export const MemberPage = pageOf(Member, 'MemberPage')
