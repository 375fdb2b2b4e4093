import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import { users } from '#db/schema/organizations.ts'
import { audit } from '../audit.ts'
import { withCredentials } from '../auth/credentials.ts'
import { type Entrant, enter } from '../auth/entering.ts'
import { withHashingSlot } from '../auth/hashing-slots.ts'
import { hashPassword, requireUncommon } from '../auth/passwords.ts'
import { findByToken } from '../auth/throttle.ts'
import type { Context, SessionPort } from '../context.ts'
import { fieldInvalid } from '../errors.ts'
import { joinByInvitation, requireInvitation } from '../invitations.ts'
import { AcceptInvitationInput, Invitation, InvitationInput, NewPassword } from '../schemas/accounts.ts'
import { Ok } from '../schemas/conventions.ts'
import { publicProcedure } from '../trpc.ts'

/** What the holder of a token is invited to. */
export const invitation = publicProcedure
  .meta({ api: { errors: ['invitation_invalid', 'rate_limited'] } })
  .input(InvitationInput)
  .output(Invitation)
  .query(async ({ ctx, input }) => {
    const { organization, email } = await findByToken(ctx, () => requireInvitation(ctx.db, input.token, ctx.now()))
    return { organization, email, hasAccount: await hasAccount(ctx, email) }
  })

/** Joins, with a new account or with the password of the one that has the invited address, and signs in. */
export const acceptInvitation = publicProcedure
  .meta({
    api: {
      errors: [
        'invitation_invalid',
        'field_invalid',
        'invalid_credentials',
        'totp_required',
        'invalid_code',
        'already_exists',
        'rate_limited',
        'busy',
      ],
    },
  })
  .input(AcceptInvitationInput)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    const { email } = await findByToken(ctx, () => requireInvitation(ctx.db, input.token, ctx.now()))
    if (await hasAccount(ctx, email)) {
      await withCredentials(ctx, { ...input, email }, (tx, account) => join(tx, ctx, input.token, account))
      return { ok: true as const }
    }
    const acceptable = NewPassword.safeParse(input.password)
    if (!acceptable.success) throw fieldInvalid('password', String(acceptable.error.issues[0]?.message))
    await requireUncommon(input.password)
    const passwordHash = await withHashingSlot(() => hashPassword(input.password))
    await ctx.db.transaction(async (tx) => {
      const { displayName } = input
      const account = { id: uuidv7(), email, displayName, passwordHash, sessionEpoch: 0, createdAt: ctx.now() }
      await tx.insert(users).values(account)
      await join(tx, ctx, input.token, account)
    })
    return { ok: true as const }
  })

async function join(tx: Tx, ctx: Context & { session: SessionPort }, token: string, account: Entrant): Promise<void> {
  const invited = await requireInvitation(tx, token, ctx.now(), 'lock')
  await joinByInvitation(tx, invited, account.id, ctx.now())
  const actor = { organizationId: invited.organizationId, userId: account.id, email: account.email, key: null }
  const entry = { action: 'member.join', entityType: 'user', entityId: account.id, entityName: account.email }
  await audit(tx, { actor, address: ctx.address }, entry)
  await enter(tx, ctx, account, invited.organizationId)
}

async function hasAccount(ctx: Context, email: string): Promise<boolean> {
  return (await ctx.db.$count(users, eq(users.email, email))) > 0
}
