import { z } from 'zod'
import { withHashingSlot } from '../auth/hashing-slots.ts'
import { hashPassword, requireUncommon } from '../auth/passwords.ts'
import { startSession } from '../auth/sessions.ts'
import { ApiError } from '../errors.ts'
import { SetupInput } from '../schemas/accounts.ts'
import { Ok } from '../schemas/conventions.ts'
import { createFirstAccount, isSetupOpen, nameFromEmail } from '../setup.ts'
import { publicProcedure, router } from '../trpc.ts'

const status = publicProcedure
  .output(z.object({ isOpen: z.boolean() }))
  .query(async ({ ctx }) => ({ isOpen: await isSetupOpen(ctx.db) }))

/** Makes the first account and organization, and signs in. Gone once there is an account. */
const create = publicProcedure
  .meta({ api: { errors: ['setup_complete', 'field_invalid', 'busy'] } })
  .input(SetupInput)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    if (!(await isSetupOpen(ctx.db))) throw new ApiError('setup_complete')
    await requireUncommon(input.password)
    const passwordHash = await withHashingSlot(() => hashPassword(input.password))
    const displayName = input.displayName ?? nameFromEmail(input.email)
    await ctx.db.transaction(async (tx) => {
      const created = await createFirstAccount(tx, ctx, { ...input, passwordHash, displayName, address: ctx.address })
      if (!created) throw new ApiError('setup_complete')
      await startSession(tx, ctx, { ...created, epoch: 0 })
    })
    return { ok: true as const }
  })

export const setupRouter = router({ status, create })
