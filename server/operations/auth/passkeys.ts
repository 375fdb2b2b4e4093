import { and, eq } from 'drizzle-orm'
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
    try {
      await findByToken(ctx, () =>
        ctx.db.transaction(async (tx) => {
          const id = await consumePasskey(tx, ctx, passkey)
          const [account] = await tx
            .select()
            .from(users)
            .where(and(eq(users.id, id), eq(users.isActive, true)))
            .for('update')
          const [first] = await organizationsOf(tx, id)
          // The account is disabled, here or in every organization.
          if (!account || !first) throw new ApiError('invalid_passkey')
          await signInToOrganization(tx, ctx, account, first.id, 'passkey')
        }),
      )
    } catch (error) {
      const email = error instanceof ApiError && error.api === 'invalid_passkey' && (await ownerOf(ctx.db, passkey))
      if (email) {
        await recordFailedSignIn(ctx.db, { email, address: ctx.address, reason: 'passkey', now: ctx.now() })
      }
      throw error
    }
    return { ok: true as const }
  })
