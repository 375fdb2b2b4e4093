import { and, eq } from '#db/drizzle.cjs'
import { users } from '#db/schema/organizations.ts'
import { ApiError } from '../../errors.ts'
import { organizationsOf } from '../../identity/accounts/organizations.ts'
import { recordFailedSignIn } from '../../identity/auth/failed-sign-ins.ts'
import { consumePasskey, ownerOf, requestOptions } from '../../identity/auth/passkeys.ts'
import { signInToOrganization } from '../../identity/auth/sign-in.ts'
import { findByToken } from '../../identity/auth/throttle.ts'
import { PasskeySignIn, RequestOptions } from '../../schemas/account/passkeys.ts'
import { Ok } from '../../schemas/conventions.ts'
import { publicProcedure } from '../../trpc.ts'

/** Returns what the browser asks passkeys to sign, for sign-in and for a second factor. Does not depend on an account. */
export const passkeyOptions = publicProcedure
  .meta({ api: { errors: ['passkeys_unavailable'] } })
  .output(RequestOptions)
  .query(({ ctx }) => requestOptions(ctx))

/** Signs in without a password, in the organization that the member joined first. */
export const signInByPasskey = publicProcedure
  .meta({ api: { errors: ['invalid_passkey', 'passkeys_unavailable', 'rate_limited'] } })
  .input(PasskeySignIn)
  .output(Ok)
  .mutation(async ({ ctx, input: { passkey } }) => {
    const owner = await ownerOf(ctx.db, passkey)
    try {
      await findByToken(ctx, () =>
        ctx.db.transaction(async (tx) => {
          if (!owner) throw new ApiError('invalid_passkey')
          // Before the passkey, as everything that changes one.
          const [account] = await tx
            .select()
            .from(users)
            .where(and(eq(users.id, owner.id), eq(users.isActive, true)))
            .for('update')
          const [first] = await organizationsOf(tx, owner.id)
          // The account is disabled, here or in every organization.
          if (!account || !first) throw new ApiError('invalid_passkey')
          await consumePasskey(tx, ctx, passkey, account.id)
          await signInToOrganization(tx, ctx, account, first.id, 'passkey')
        }),
      )
    } catch (error) {
      if (owner && error instanceof ApiError && error.api === 'invalid_passkey') {
        const { email } = owner
        await recordFailedSignIn(ctx.db, { email, address: ctx.address, reason: 'passkey', now: ctx.now() })
      }
      throw error
    }
    return { ok: true as const }
  })
