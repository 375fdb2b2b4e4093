import { and, eq, isNotNull } from '#db/drizzle.cjs'
import { users } from '#db/schema/organizations.ts'
import { ApiError } from '../../errors.ts'
import { removeAuthenticator } from '../../identity/accounts/second-factors.ts'
import { CREDENTIAL_ERRORS, withCredentials } from '../../identity/auth/credentials.ts'
import { secondFactorsOf } from '../../identity/auth/passkeys.ts'
import { renewSessions } from '../../identity/auth/sessions.ts'
import { codeCounters, countAttempt, requireUnthrottled } from '../../identity/auth/throttle.ts'
import { consumeTotpCode, newTotp, renewRecoveryCodes, sealTotpSecret } from '../../identity/auth/totp.ts'
import { CodeInput, Reauthentication, RecoveryCodes, TotpSecret } from '../../schemas/account/accounts.ts'
import { Ok } from '../../schemas/conventions.ts'
import { router, signedInProcedure } from '../../trpc.ts'
import { auditAccount } from './audit-account.ts'

/**
 * Creates a secret for the authenticator. Requires the password, so that a person at an unattended session cannot lock
 * the member out. The second factor is not required until a code is confirmed.
 */
const begin = signedInProcedure
  .meta({ api: { errors: [...CREDENTIAL_ERRORS, 'already_exists'] } })
  .input(Reauthentication)
  .output(TotpSecret)
  .mutation(async ({ ctx, input }) => {
    const { userId, email } = ctx.actor
    const [enrolled] = await ctx.db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), isNotNull(users.totpEnrolledAt)))
    if (enrolled) throw new ApiError('already_exists')
    return withCredentials(ctx, { ...input, email }, async (tx) => {
      const totp = newTotp(email)
      await tx
        .update(users)
        .set({ totpSecret: sealTotpSecret(ctx.vault, userId, totp.secret) })
        .where(eq(users.id, userId))
      await auditAccount(tx, ctx, 'totp.begin', { id: userId, email })
      return totp
    })
  })

/** Enrols with the first code and ends the member's other sessions. Returns the recovery codes, which are shown only once. */
const confirm = signedInProcedure
  .meta({ api: { errors: ['already_exists', 'invalid_code', 'rate_limited'] } })
  .input(CodeInput)
  .output(RecoveryCodes)
  .mutation(async ({ ctx, input }) => {
    const { userId, email } = ctx.actor
    const counters = codeCounters(userId, null)
    await requireUnthrottled(ctx.db, counters)
    const codes = await ctx.db.transaction(async (tx) => {
      const [account] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
      if (!account || account.totpEnrolledAt) throw new ApiError('already_exists')
      if (!(await consumeTotpCode(tx, ctx.vault, account, input.code, ctx.now()))) return null
      await tx.update(users).set({ totpEnrolledAt: ctx.now() }).where(eq(users.id, userId))
      await renewSessions(tx, ctx, userId)
      await auditAccount(tx, ctx, 'totp.enrol', { id: userId, email })
      return renewRecoveryCodes(tx, userId)
    })
    if (!codes) {
      await countAttempt(ctx.db, counters)
      throw new ApiError('invalid_code')
    }
    return { recoveryCodes: codes }
  })

const disable = signedInProcedure
  .meta({ api: { errors: CREDENTIAL_ERRORS } })
  .input(Reauthentication)
  .output(Ok)
  .mutation(({ ctx, input }) =>
    withCredentials(ctx, { ...input, email: ctx.actor.email }, async (tx, account) => {
      await removeAuthenticator(tx, account.id)
      await renewSessions(tx, ctx, account.id)
      await auditAccount(tx, ctx, 'totp.disable', account)
      return { ok: true as const }
    }),
  )

/** Replaces all recovery codes. */
const renewCodes = signedInProcedure
  .meta({ api: { errors: [...CREDENTIAL_ERRORS, 'not_found'] } })
  .input(Reauthentication)
  .output(RecoveryCodes)
  .mutation(({ ctx, input }) =>
    withCredentials(ctx, { ...input, email: ctx.actor.email }, async (tx, account) => {
      const { isOn } = await secondFactorsOf(tx, account.id)
      if (!isOn) throw new ApiError('not_found')
      await auditAccount(tx, ctx, 'totp.renew_codes', account)
      return { recoveryCodes: await renewRecoveryCodes(tx, account.id) }
    }),
  )

export const accountTotpRouter = router({ begin, confirm, disable, renewCodes })
