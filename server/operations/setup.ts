import { z } from 'zod'
import { ApiError } from '../errors.ts'
import { createFirstAccount, isSetupOpen, nameFromEmail } from '../identity/accounts/setup.ts'
import { requireSetupToken } from '../identity/accounts/setup-links.ts'
import { withHashingPermit } from '../identity/auth/hashing-permits.ts'
import { hashPassword, requireUncommon } from '../identity/auth/passwords.ts'
import { startSession } from '../identity/auth/sessions.ts'
import { SetupInput, SetupToken } from '../schemas/account/accounts.ts'
import { Ok } from '../schemas/conventions.ts'
import { publicProcedure, router } from '../trpc.ts'

const status = publicProcedure
  .output(z.object({ isOpen: z.boolean() }))
  .query(async ({ ctx }) => ({ isOpen: await isSetupOpen(ctx.db) }))

/** Checks whether the token allows creating the first account. */
const link = publicProcedure
  .meta({ api: { errors: ['setup_complete', 'setup_link_invalid'] } })
  .input(SetupToken)
  .output(Ok)
  .query(async ({ ctx, input }) => {
    await requireSetupToken(ctx, input.token)
    return { ok: true as const }
  })

/** Creates the first account and organization, and signs in. Refused when an account exists. */
const create = publicProcedure
  .meta({ api: { errors: ['setup_complete', 'setup_link_invalid', 'field_invalid', 'busy'] } })
  .input(SetupInput)
  .output(Ok)
  .mutation(async ({ ctx, input: { token, ...input } }) => {
    await requireSetupToken(ctx, token)
    await requireUncommon(input.password)
    const passwordHash = await withHashingPermit(() => hashPassword(input.password))
    const displayName = input.displayName ?? nameFromEmail(input.email)
    await ctx.db.transaction(async (tx) => {
      const created = await createFirstAccount(tx, ctx, { ...input, passwordHash, displayName, address: ctx.address })
      if (!created) throw new ApiError('setup_complete')
      await startSession(tx, ctx, { ...created, epoch: 0 })
    })
    return { ok: true as const }
  })

export const setupRouter = router({ status, link, create })
