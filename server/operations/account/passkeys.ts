import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { and, asc, eq } from '#db/drizzle.cjs'
import { passkeys } from '#db/schema/credentials.ts'
import { users } from '#db/schema/organizations.ts'
import { ApiError, notFound } from '../../errors.ts'
import { removePasskey } from '../../identity/accounts/second-factors.ts'
import { CREDENTIAL_ERRORS, withCredentials } from '../../identity/auth/credentials.ts'
import { creationOptions, secondFactorsOf, verifyNewPasskey } from '../../identity/auth/passkeys.ts'
import { renewSessions } from '../../identity/auth/sessions.ts'
import { renewRecoveryCodes } from '../../identity/auth/totp.ts'
import { Reauthentication } from '../../schemas/account/accounts.ts'
import {
  AddedPasskey,
  CreationOptions,
  PASSKEYS_MAX,
  Passkey,
  PasskeyAddition,
  PasskeyRemoval,
  PasskeyRename,
} from '../../schemas/account/passkeys.ts'
import { Ok } from '../../schemas/conventions.ts'
import { router, signedInProcedure } from '../../trpc.ts'
import { auditAccount } from './audit-account.ts'

/** Lists the member's passkeys, oldest first. */
const list = signedInProcedure.output(z.array(Passkey)).query(async ({ ctx }) => {
  const rows = await ctx.db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, ctx.actor.userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
  return rows.map(({ id, name, createdAt, lastUsedAt }) => ({
    ...{ id, name },
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
})

/** Returns what the browser creates a passkey from. Requires the password, as everything that signs in later does. */
const begin = signedInProcedure
  .meta({ api: { errors: [...CREDENTIAL_ERRORS, 'passkey_limit_reached'] } })
  .input(Reauthentication)
  .output(CreationOptions)
  .mutation(({ ctx, input }) =>
    withCredentials(ctx, { ...input, email: ctx.actor.email }, async (tx, account) => {
      requireRoom(await tx.$count(passkeys, eq(passkeys.userId, account.id)))
      await auditAccount(tx, ctx, 'passkey.begin', account)
      return creationOptions(tx, ctx, account)
    }),
  )

/**
 * Stores the passkey that the browser created, and ends the member's other sessions. Returns recovery codes with the first
 * second factor of the account, which are shown only once.
 */
const add = signedInProcedure
  .meta({ api: { errors: ['invalid_passkey', 'passkeys_unavailable', 'passkey_limit_reached', 'already_exists'] } })
  .input(PasskeyAddition)
  .output(AddedPasskey)
  .mutation(async ({ ctx, input }) => {
    const { userId, email } = ctx.actor
    const verified = await verifyNewPasskey(ctx, input.passkey)
    return ctx.db.transaction(async (tx) => {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
      requireRoom(await tx.$count(passkeys, eq(passkeys.userId, userId)))
      const { isOn } = await secondFactorsOf(tx, userId)
      const { name } = input
      await tx.insert(passkeys).values({ id: uuidv7(), userId, name, ...verified, createdAt: ctx.now() })
      await renewSessions(tx, ctx, userId)
      await auditAccount(tx, ctx, 'passkey.add', { id: userId, email }, { name })
      return { recoveryCodes: isOn ? null : await renewRecoveryCodes(tx, userId) }
    })
  })

const rename = signedInProcedure
  .meta({ api: { errors: ['not_found'] } })
  .input(PasskeyRename)
  .output(Ok)
  .mutation(({ ctx, input: { id, name } }) =>
    ctx.db.transaction(async (tx) => {
      const { userId, email } = ctx.actor
      const own = and(eq(passkeys.id, id), eq(passkeys.userId, userId))
      const [former] = await tx.select({ name: passkeys.name }).from(passkeys).where(own).for('update')
      if (!former) throw notFound()
      await tx.update(passkeys).set({ name }).where(own)
      await auditAccount(tx, ctx, 'passkey.rename', { id: userId, email }, { from: former.name, to: name })
      return { ok: true as const }
    }),
  )

/** Removes a passkey and ends the member's other sessions. The recovery codes go with the last second factor. */
const remove = signedInProcedure
  .meta({ api: { errors: [...CREDENTIAL_ERRORS, 'not_found'] } })
  .input(PasskeyRemoval)
  .output(Ok)
  .mutation(({ ctx, input }) =>
    withCredentials(ctx, { ...input, email: ctx.actor.email }, async (tx, account) => {
      const name = await removePasskey(tx, account.id, input.id)
      if (name === null) throw notFound()
      await renewSessions(tx, ctx, account.id)
      await auditAccount(tx, ctx, 'passkey.remove', account, { name })
      return { ok: true as const }
    }),
  )

export const accountPasskeysRouter = router({ list, begin, add, rename, remove })

function requireRoom(held: number): void {
  if (held >= PASSKEYS_MAX) throw new ApiError('passkey_limit_reached', { max: PASSKEYS_MAX })
}
