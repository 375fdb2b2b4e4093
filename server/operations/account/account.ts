import { eq } from '#db/drizzle.cjs'
import { users } from '#db/schema/organizations.ts'
import { CREDENTIAL_ERRORS, withCredentials } from '../../identity/auth/credentials.ts'
import { withHashingPermit } from '../../identity/auth/hashing-permits.ts'
import { hashPassword, requireUncommon } from '../../identity/auth/passwords.ts'
import { renewSessions } from '../../identity/auth/sessions.ts'
import { PasswordChange, ProfileChange } from '../../schemas/account/accounts.ts'
import { Ok } from '../../schemas/conventions.ts'
import { router, sessionProcedure } from '../../trpc.ts'
import { auditAccount } from './audit-account.ts'
import { changeEmail, confirmEmail, sendConfirmation } from './email.ts'
import { accountKeysRouter } from './keys.ts'
import { accountPasskeysRouter } from './passkeys.ts'
import { accountSessionsRouter } from './sessions.ts'
import { accountTotpRouter } from './totp.ts'

const updateProfile = sessionProcedure
  .input(ProfileChange)
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const { userId: id, email, displayName } = ctx.actor
      await tx.update(users).set({ displayName: input.displayName }).where(eq(users.id, id))
      await auditAccount(tx, ctx, 'account.update', { id, email }, { from: displayName, to: input.displayName })
      return { ok: true as const }
    }),
  )

/** Changes the password and ends every other session of the member. API keys stay valid. */
const changePassword = sessionProcedure
  .meta({ api: { errors: [...CREDENTIAL_ERRORS, 'field_invalid'] } })
  .input(PasswordChange)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    await requireUncommon(input.newPassword, 'newPassword')
    const passwordHash = await withHashingPermit(() => hashPassword(input.newPassword))
    return withCredentials(ctx, { ...input, email: ctx.actor.email }, async (tx, account) => {
      await tx.update(users).set({ passwordHash }).where(eq(users.id, account.id))
      await renewSessions(tx, ctx, account.id)
      await auditAccount(tx, ctx, 'account.change_password', account)
      return { ok: true as const }
    })
  })

export const accountRouter = router({
  keys: accountKeysRouter,
  totp: accountTotpRouter,
  passkeys: accountPasskeysRouter,
  sessions: accountSessionsRouter,
  updateProfile,
  changeEmail,
  sendConfirmation,
  confirmEmail,
  changePassword,
})
