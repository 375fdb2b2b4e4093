import { eq } from '#db/drizzle.cjs'
import { sessions } from '#db/schema/credentials.ts'
import { organizations, users } from '#db/schema/organizations.ts'
import { audit } from '../../audit.ts'
import { ApiError, notFound } from '../../errors.ts'
import { organizationsOf } from '../../identity/accounts/organizations.ts'
import { findMember } from '../../identity/auth/actor.ts'
import { CREDENTIAL_ERRORS, withCredentials } from '../../identity/auth/credentials.ts'
import { relyingParty, secondFactorsOf } from '../../identity/auth/passkeys.ts'
import { endSessions } from '../../identity/auth/sessions.ts'
import { signInToOrganization } from '../../identity/auth/sign-in.ts'
import { Me, SignInInput, SwitchInput } from '../../schemas/account/accounts.ts'
import { levelNames } from '../../schemas/account/sections.ts'
import { Ok } from '../../schemas/conventions.ts'
import { readWriteRights } from '../../services/service-places.ts'
import { publicProcedure, router, signedInProcedure } from '../../trpc.ts'
import { acceptInvitation, invitation } from './invitations.ts'
import { passkeyOptions, signInByPasskey } from './passkeys.ts'
import { passwordReset, requestPasswordReset, resetPassword } from './password-resets.ts'
import { unsubscribe, unsubscription } from './unsubscribe.ts'

/** Starts a session in the organization that the member joined first. Requires the second factor if there is one. */
const signIn = publicProcedure
  .meta({ api: { errors: CREDENTIAL_ERRORS } })
  .input(SignInInput)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    await withCredentials(ctx, input, async (tx, account) => {
      const [first] = await organizationsOf(tx, account.id)
      // The account is disabled or removed in every organization.
      if (!first) throw new ApiError('invalid_credentials')
      await signInToOrganization(tx, ctx, account, first.id)
    })
    return { ok: true as const }
  })

const signOut = signedInProcedure.output(Ok).mutation(({ ctx }) =>
  ctx.db.transaction(async (tx) => {
    await endSessions(tx, { id: ctx.sessionId }, ctx.now())
    await audit(tx, ctx, { action: 'session.end', entityType: 'session', entityId: ctx.sessionId })
    ctx.session.setCookie(null)
    return { ok: true as const }
  }),
)

/** Switches the session to another organization of the member. Keys created from then on belong to it. */
const switchOrganization = signedInProcedure
  .meta({ api: { errors: ['not_found'] } })
  .input(SwitchInput)
  .output(Ok)
  .mutation(({ ctx, input: { organizationId } }) =>
    ctx.db.transaction(async (tx) => {
      const member = await findMember(tx, ctx.actor.userId, organizationId)
      if (!member?.isActive) throw notFound()
      await tx.update(sessions).set({ organizationId }).where(eq(sessions.id, ctx.sessionId))
      const actor = { ...ctx.actor, organizationId }
      const entry = { action: 'session.enter', entityType: 'session', entityId: ctx.sessionId }
      await audit(tx, { actor, address: ctx.address }, entry)
      return { ok: true as const }
    }),
  )

const me = signedInProcedure.output(Me).query(async ({ ctx }) => {
  const { actor } = ctx
  const [[account], factors, [organization], mine, rights] = await Promise.all([
    ctx.db.select({ verifiedAt: users.emailVerifiedAt }).from(users).where(eq(users.id, actor.userId)),
    secondFactorsOf(ctx.db, actor.userId),
    ctx.db
      .select({ isOperator: organizations.isOperator })
      .from(organizations)
      .where(eq(organizations.id, actor.organizationId)),
    organizationsOf(ctx.db, actor.userId),
    readWriteRights(ctx.db, actor),
  ])
  return {
    user: {
      id: actor.userId,
      email: actor.email,
      displayName: actor.displayName,
      hasTotp: factors.hasTotp,
      hasPasskey: factors.hasPasskey,
      isEmailVerified: Boolean(account?.verifiedAt),
    },
    organization: { id: actor.organizationId, name: actor.organizationName, timezone: actor.timezone },
    organizations: mine,
    isOwner: actor.isOwner,
    isOperator: actor.isOwner && Boolean(organization?.isOperator),
    sections: levelNames(actor.sections),
    ...rights,
    sendsMail: ctx.settings.SMTP_URL !== undefined,
    canUsePasskeys: relyingParty(ctx.origin) !== null,
    totpEnrollmentRequired: ctx.session.unenrolled !== null,
  }
})

export const authRouter = router({
  signIn,
  passkeyOptions,
  signInByPasskey,
  signOut,
  switchOrganization,
  me,
  invitation,
  acceptInvitation,
  requestPasswordReset,
  passwordReset,
  resetPassword,
  unsubscription,
  unsubscribe,
})
