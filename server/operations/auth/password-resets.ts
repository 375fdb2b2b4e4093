import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { users } from '#db/schema/organizations.ts'
import { linkUrl } from '../../accounts/link-tokens.ts'
import { auditEverywhere, createPasswordReset, requirePasswordReset } from '../../accounts/password-resets.ts'
import { takeOverAccount } from '../../accounts/proven-addresses.ts'
import { withHashingPermit } from '../../auth/hashing-permits.ts'
import { hashPassword, requireUncommon } from '../../auth/passwords.ts'
import { endAllSessions } from '../../auth/sessions.ts'
import { clearGuesses, countAttempt, findByToken, requireUnthrottled, resetCounters } from '../../auth/throttle.ts'
import type { Context } from '../../context.ts'
import { enqueueMail } from '../../schedule/jobs.ts'
import { PasswordReset, PasswordResetInput, PasswordResetRequest, ResetToken } from '../../schemas/account/accounts.ts'
import { Ok } from '../../schemas/conventions.ts'
import { publicProcedure } from '../../trpc.ts'

/** Longer than making a link and queueing its mail takes: the time tells no more than the answer does. */
const MIN_RESPONSE_MS = 250

/** Mails a link to whoever has an account with the address. The answer is the same for everyone, and takes as long. */
export const requestPasswordReset = publicProcedure
  .meta({ api: { errors: ['rate_limited'] } })
  .input(PasswordResetRequest)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    const counters = resetCounters(input.email, ctx.address)
    // Counted first, so that many at once are no more than their number.
    await countAttempt(ctx.db, counters)
    await requireUnthrottled(ctx.db, counters)
    await Promise.all([mailLink(ctx, input.email), sleep(MIN_RESPONSE_MS)])
    return { ok: true as const }
  })

/** Whose password the holder of a token may set. */
export const passwordReset = publicProcedure
  .meta({ api: { errors: ['reset_invalid', 'rate_limited'] } })
  .input(ResetToken)
  .output(PasswordReset)
  .query(async ({ ctx, input }) => {
    const { email, takesOver } = await findByToken(ctx, () => requirePasswordReset(ctx.db, input.token, ctx.now()))
    return { email, takesOver }
  })

/**
 * Sets the password anew and ends every session of the account. It signs nobody in: where a second factor is enrolled,
 * signing in asks for it as before. Keys stay: they hold no password. Who comes by a mailed link to an account whose
 * address was never proven takes it over instead, without any of that.
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
    // Guesses at the forgotten one are what brought them here.
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
      'Someone, probably you, asked for a new password for your account at Soundline.',
      `Open this link within an hour to choose one:\n${url}`,
      'If it was not you, you need not do anything: your password stays as it is.',
    ].join('\n\n'),
  }
}
