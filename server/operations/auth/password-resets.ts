import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from '#db/drizzle.cjs'
import { users } from '#db/schema/organizations.ts'
import type { Context } from '../../context.ts'
import { linkUrl } from '../../identity/accounts/link-tokens.ts'
import { auditEverywhere, createPasswordReset, requirePasswordReset } from '../../identity/accounts/password-resets.ts'
import { takeOverAccount } from '../../identity/accounts/proven-addresses.ts'
import { withHashingPermit } from '../../identity/auth/hashing-permits.ts'
import { hashPassword, requireUncommon } from '../../identity/auth/passwords.ts'
import { endAllSessions } from '../../identity/auth/sessions.ts'
import { clearGuesses, countResetRequest, findByToken } from '../../identity/auth/throttle.ts'
import { enqueueMail } from '../../schedule/jobs.ts'
import { PasswordReset, PasswordResetInput, PasswordResetRequest, ResetToken } from '../../schemas/account/accounts.ts'
import { Ok } from '../../schemas/conventions.ts'
import { publicProcedure } from '../../trpc.ts'

/** Longer than creating a link and queueing its mail takes, so that the response time does not reveal accounts. */
const MIN_RESPONSE_MS = 250

/** Mails a link if an account has the address. Response and response time are the same in either case. */
export const requestPasswordReset = publicProcedure
  .meta({ api: { errors: ['rate_limited'] } })
  .input(PasswordResetRequest)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    await countResetRequest(ctx.db, input.email, ctx.address)
    await Promise.all([mailLink(ctx, input.email), sleep(MIN_RESPONSE_MS)])
    return { ok: true as const }
  })

/** Shows whose password the token may set. */
export const passwordReset = publicProcedure
  .meta({ api: { errors: ['reset_invalid', 'rate_limited'] } })
  .input(ResetToken)
  .output(PasswordReset)
  .query(async ({ ctx, input }) => {
    const { email, takesOver } = await findByToken(ctx, () => requirePasswordReset(ctx.db, input.token, ctx.now()))
    return { email, takesOver }
  })

/**
 * Sets a new password and ends every session of the account. It does not sign in, so that an enrolled second factor is
 * still required. API keys stay valid. If the address of the account was never verified, the reset takes the account
 * over: second factor and keys are removed.
 */
export const resetPassword = publicProcedure
  .meta({ api: { errors: ['reset_invalid', 'field_invalid', 'rate_limited', 'busy'] } })
  .input(PasswordResetInput)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    const { email } = await findByToken(ctx, () => requirePasswordReset(ctx.db, input.token, ctx.now()))
    await requireUncommon(input.password)
    const passwordHash = await withHashingPermit(() => hashPassword(input.password))
    await ctx.db.transaction(async (tx) => {
      const account = await requirePasswordReset(tx, input.token, ctx.now(), 'lock')
      if (account.takesOver) {
        await takeOverAccount(tx, account, { passwordHash, by: 'password reset', address: ctx.address, now: ctx.now() })
      } else {
        await tx.update(users).set({ passwordHash }).where(eq(users.id, account.id))
        await endAllSessions(tx, account.id, ctx.now())
      }
      const subject = { account, actor: 'account', address: ctx.address } as const
      await auditEverywhere(tx, subject, { action: 'account.reset_password' })
    })
    // The member has probably tried the forgotten password several times.
    await clearGuesses(ctx.db, email, ctx.address)
    return { ok: true as const }
  })

async function mailLink(ctx: Context, email: string): Promise<void> {
  if (!ctx.settings.SMTP_URL) return
  await ctx.db.transaction(async (tx) => {
    const token = await createPasswordReset(tx, email, ctx.now(), { address: ctx.address })
    if (token) await enqueueMail(tx, null, resetMail(email, linkUrl(ctx.settings, 'reset-password', token)))
  })
}

function resetMail(to: string, url: string) {
  return {
    to,
    subject: 'Set a new password for Soundline',
    text: [
      'A new password was requested for your Soundline account.',
      `Open this link within an hour to choose one:\n${url}`,
      'If it was not you, ignore this mail. Your password does not change.',
    ].join('\n\n'),
  }
}
