import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { Tx } from '#db/client.ts'
import { eq } from '#db/drizzle.cjs'
import { type invitations, users } from '#db/schema/organizations.ts'
import { lostPromisesMail } from '../../alerts/mail/invitation-mails.ts'
import { audit } from '../../audit.ts'
import type { Actor, Context, SessionPort } from '../../context.ts'
import { ApiError, fieldInvalid } from '../../errors.ts'
import { type Given, joinByInvitation, requireInvitation } from '../../identity/accounts/invitations.ts'
import { pageUrl } from '../../identity/accounts/link-tokens.ts'
import { proveAddress, takeOverAccount } from '../../identity/accounts/proven-addresses.ts'
import { findMember, toActor } from '../../identity/auth/actor.ts'
import { CREDENTIAL_ERRORS, withCredentials } from '../../identity/auth/credentials.ts'
import { withHashingPermit } from '../../identity/auth/hashing-permits.ts'
import { hashPassword, requireUncommon } from '../../identity/auth/passwords.ts'
import { type SignInAccount, signInToOrganization } from '../../identity/auth/sign-in.ts'
import { findByToken } from '../../identity/auth/throttle.ts'
import { enqueueMail } from '../../schedule/jobs.ts'
import { AcceptInvitationInput, Invitation, InvitationInput, NewPassword } from '../../schemas/account/accounts.ts'
import { Ok } from '../../schemas/conventions.ts'
import { publicProcedure } from '../../trpc.ts'
import { cappedLevels, grantableGroups, lockMembers } from '../organization/delegation.ts'
import { accessDetails, grantablePlaces } from '../organization/invitation-places.ts'

/** Shows an invitation. Does not reveal whether the address has an account, because the inviter may have the token too. */
export const invitation = publicProcedure
  .meta({ api: { errors: ['invitation_invalid', 'rate_limited'] } })
  .input(InvitationInput)
  .output(Invitation)
  .query(async ({ ctx, input }) => {
    const found = await findByToken(ctx, () => requireInvitation(ctx.db, input.token, ctx.now()))
    return { organization: found.organization, email: found.email, isMailed: found.isMailed }
  })

/**
 * Joins and signs in, with the password of the account that has the invited address, or with a new account. A mailed link
 * can also take over an account whose address was never verified.
 */
export const acceptInvitation = publicProcedure
  .meta({ api: { errors: ['invitation_invalid', 'field_invalid', 'already_exists', ...CREDENTIAL_ERRORS] } })
  .input(AcceptInvitationInput)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    const invited = await findByToken(ctx, () => requireInvitation(ctx.db, input.token, ctx.now()))
    const refusal = await newPasswordRefusal(input.password)
    if (input.takeOver && !invited.isMailed)
      throw fieldInvalid('takeOver', 'must not be true: the link was not sent by mail')
    if (input.takeOver && refusal) throw refusal
    if (!input.takeOver && (refusal || (await hasAccount(ctx, invited.email)))) {
      await joinWithAccount(ctx, input, invited.email, refusal)
    } else {
      await joinWithNewPassword(ctx, input, invited)
    }
    return { ok: true as const }
  })

type Acceptance = z.output<typeof AcceptInvitationInput>
type SessionContext = Context & { session: SessionPort }

/** Returns why a password is not acceptable as a new one, null when it is. */
async function newPasswordRefusal(password: string): Promise<ApiError | null> {
  const acceptable = NewPassword.safeParse(password)
  if (!acceptable.success) return fieldInvalid('password', String(acceptable.error.issues[0]?.message))
  return requireUncommon(password).then(
    () => null,
    (error: ApiError) => error,
  )
}

/**
 * Joins with the password of the account, even if it is not acceptable as a new one. A wrong, unacceptable password gets
 * the same error whether or not an account exists: otherwise the error would reveal accounts without using up the
 * invitation.
 */
async function joinWithAccount(
  ctx: SessionContext,
  input: Acceptance,
  email: string,
  refusal: ApiError | null,
): Promise<void> {
  try {
    await withCredentials(ctx, { ...input, email }, async (tx, account) => {
      const { isMailed } = await join(tx, ctx, input.token, account)
      if (isMailed) await proveAddress(tx, account.id, ctx.now())
    })
  } catch (error) {
    throw refusal && error instanceof ApiError && error.api === 'invalid_credentials' ? refusal : error
  }
}

/** Joins with a new account, or takes over an unverified one. */
async function joinWithNewPassword(
  ctx: SessionContext,
  input: Acceptance,
  { email, isMailed }: { email: string; isMailed: boolean },
): Promise<void> {
  const passwordHash = await withHashingPermit(() => hashPassword(input.password))
  const now = ctx.now()
  const { displayName, token } = input
  await ctx.db.transaction(async (tx) => {
    const [former] = await tx.select().from(users).where(eq(users.email, email)).for('update')
    if (former && input.takeOver) {
      if (!former.isActive || former.emailVerifiedAt) throw new ApiError('invalid_credentials')
      const given = { passwordHash, by: 'invitation', address: ctx.address, now } as const
      const sessionEpoch = await takeOverAccount(tx, former, given)
      await tx.update(users).set({ displayName }).where(eq(users.id, former.id))
      await join(tx, ctx, token, { ...former, sessionEpoch })
    } else {
      const account = { id: uuidv7(), email, displayName, passwordHash, sessionEpoch: 0, createdAt: now }
      await tx.insert(users).values({ ...account, emailVerifiedAt: isMailed ? now : null })
      await join(tx, ctx, token, account)
    }
  })
}

async function join(
  tx: Tx,
  ctx: SessionContext,
  token: string,
  account: SignInAccount,
): Promise<{ isMailed: boolean }> {
  const { organizationId } = await requireInvitation(tx, token, ctx.now())
  // Its maker loses no right between this check and the join.
  await lockMembers(tx, organizationId)
  const invited = await requireInvitation(tx, token, ctx.now(), 'lock')
  const { given, lost, maker } = await givenBy(tx, invited)
  await joinByInvitation(tx, invited, given, account.id, ctx.now())
  const actor = { organizationId: invited.organizationId, userId: account.id, email: account.email, key: null }
  const entry = { action: 'member.join', entityType: 'user', entityId: account.id, entityName: account.email }
  const details = {
    ...(given.places.length > 0 && { access: accessDetails(given.places) }),
    ...(lost.length > 0 && { notGiven: lost }),
  }
  await audit(tx, { actor, address: ctx.address }, { ...entry, details })
  if (lost.length > 0 && ctx.settings.SMTP_URL !== undefined) {
    const { organization, organizationId } = invited
    const url = pageUrl(ctx.settings, `members/${account.id}`)
    await enqueueMail(
      tx,
      organizationId,
      lostPromisesMail(maker.email, { organization, email: account.email, lost, url }),
    )
  }
  await signInToOrganization(tx, ctx, account, invited.organizationId)
  return invited
}

/**
 * Returns what an invitation promises, as far as its maker may give it now, and in words what they may not, because it was
 * deleted or is out of their reach.
 */
async function givenBy(
  tx: Tx,
  { organizationId, invitedBy, groupIds, permissions, places }: typeof invitations.$inferSelect,
): Promise<{ given: Given; lost: string[]; maker: Actor }> {
  const member = await findMember(tx, invitedBy, organizationId)
  const maker = member && toActor(member, { key: null, sessionId: null })
  if (!maker) throw new ApiError('invitation_invalid')
  const joined = await grantableGroups(tx, maker, groupIds)
  const granted = await grantablePlaces(tx, maker, places)
  const lostGroups = groupIds.length - joined.length
  const groups = lostGroups === 0 ? [] : [lostGroups === 1 ? 'a group' : `${lostGroups} groups`]
  return {
    given: {
      permissions: cappedLevels(maker, permissions),
      groupIds: joined.map(({ id }) => id),
      places: granted.given,
    },
    lost: [...granted.lost, ...groups],
    maker,
  }
}

async function hasAccount(ctx: Context, email: string): Promise<boolean> {
  return (await ctx.db.$count(users, eq(users.email, email))) > 0
}
