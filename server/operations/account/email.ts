import type { Tx } from '#db/client.ts'
import { eq } from '#db/drizzle.cjs'
import { users } from '#db/schema/organizations.ts'
import { changeAskedMail, changedMail, confirmationMail, takenMail } from '../../alerts/mail/account-mails.ts'
import { countMail } from '../../alerts/mail/rate-limits.ts'
import type { ActorContext, SessionPort } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { consumeEmailConfirmation, createEmailConfirmation } from '../../identity/accounts/email-confirmations.ts'
import { linkUrl, pageUrl } from '../../identity/accounts/link-tokens.ts'
import { type Account, CREDENTIAL_ERRORS, withCredentials } from '../../identity/auth/credentials.ts'
import { renewSessions } from '../../identity/auth/sessions.ts'
import { findByToken } from '../../identity/auth/throttle.ts'
import { enqueueMail } from '../../schedule/jobs.ts'
import { ConfirmedEmail, EmailChange, EmailChanged, EmailConfirmation } from '../../schemas/account/accounts.ts'
import { Ok } from '../../schemas/conventions.ts'
import { sessionProcedure } from '../../trpc.ts'
import { auditAccount } from './audit-account.ts'

type MemberContext = ActorContext & { session: SessionPort }

/**
 * Changes the address with which the member signs in. Requires the password, because the address controls the account.
 * If mail is configured, the change waits for a link mailed to the new address, the former address is notified, and
 * response and response time do not reveal whether the new address has an account. Without mail the change takes effect
 * at once, and the address is not verified.
 */
export const changeEmail = sessionProcedure
  .meta({ api: { errors: [...CREDENTIAL_ERRORS, 'already_exists'] } })
  .input(EmailChange)
  .output(EmailChanged)
  .mutation(async ({ ctx, input }) => {
    const { userId, organizationId } = ctx.actor
    // Also without mail, to limit how often a member can ask whether an address is taken.
    await countMail(ctx.db, 'address', { userId, organizationId, to: input.email })
    return withCredentials(ctx, { ...input, email: ctx.actor.email }, async (tx, account) => {
      const isPending = ctx.settings.SMTP_URL !== undefined
      if (isPending) await askForChange(tx, ctx, account, input.email)
      else await setEmail(tx, ctx, account, { email: input.email, isVerified: false })
      return { ok: true as const, isPending }
    })
  })

/** Mails a link that confirms the current address of the account. */
export const sendConfirmation = sessionProcedure
  .meta({ api: { errors: ['not_found', 'rate_limited'] } })
  .output(Ok)
  .mutation(async ({ ctx }) => {
    const { userId, organizationId, email } = ctx.actor
    if (!ctx.settings.SMTP_URL) throw new ApiError('not_found')
    // A kind of its own: members who name this address as their new one use up nothing of it.
    await countMail(ctx.db, 'confirmation', { userId, organizationId, to: email })
    return ctx.db.transaction(async (tx) => {
      const [account] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
      if (!account || account.emailVerifiedAt) throw new ApiError('not_found')
      const token = await createEmailConfirmation(tx, account, account.email, ctx.now())
      await enqueueMail(
        tx,
        ctx.actor.organizationId,
        confirmationMail(email, linkUrl(ctx.settings, 'account/confirm-email', token)),
      )
      await auditAccount(tx, ctx, 'account.request_confirmation', account)
      return { ok: true as const }
    })
  })

/**
 * Confirms an address by the mailed link, in a session of the account that requested it. A new address replaces the
 * account's address, and every other session ends.
 */
export const confirmEmail = sessionProcedure
  .meta({ api: { errors: ['confirmation_invalid', 'already_exists', 'rate_limited'] } })
  .input(EmailConfirmation)
  .output(ConfirmedEmail)
  .mutation(({ ctx, input }) =>
    findByToken(ctx, () =>
      ctx.db.transaction(async (tx) => {
        const { account, confirmed } = await consumeEmailConfirmation(tx, ctx.actor.userId, input.token, ctx.now())
        if (confirmed === account.email) {
          await tx.update(users).set({ emailVerifiedAt: ctx.now() }).where(eq(users.id, account.id))
          await auditAccount(tx, ctx, 'account.confirm_email', account)
        } else {
          await setEmail(tx, ctx, account, { email: confirmed, isVerified: true })
          await enqueueMail(tx, ctx.actor.organizationId, changedMail(account.email, confirmed))
        }
        return { email: confirmed }
      }),
    ),
  )

/** Does the same work in both cases: for an address that is taken, a token is created but not sent. */
async function askForChange(tx: Tx, ctx: MemberContext, account: Account, email: string): Promise<void> {
  const [taken] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
  const token = await createEmailConfirmation(tx, account, email, ctx.now())
  const isFree = taken === undefined || taken.id === account.id
  const mail = isFree
    ? confirmationMail(email, linkUrl(ctx.settings, 'account/confirm-email', token))
    : takenMail(email, pageUrl(ctx.settings, 'forgot-password'))
  await enqueueMail(tx, ctx.actor.organizationId, mail)
  await enqueueMail(tx, ctx.actor.organizationId, changeAskedMail(account.email, email))
  await auditAccount(tx, ctx, 'account.request_email_change', account, { from: account.email, to: email })
}

/** Sets the address. Ending the sessions also invalidates every link to the former address. */
async function setEmail(
  tx: Tx,
  ctx: MemberContext,
  account: Account,
  next: { email: string; isVerified: boolean },
): Promise<void> {
  const { email } = next
  await tx
    .update(users)
    .set({ email, emailVerifiedAt: next.isVerified ? ctx.now() : null })
    .where(eq(users.id, account.id))
  await renewSessions(tx, ctx, account.id)
  await auditAccount(tx, ctx, 'account.change_email', { ...account, email }, { from: account.email, to: email })
}
