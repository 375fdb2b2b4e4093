import { and, eq } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { users } from '#db/schema/organizations.ts'
import type { Context, Device } from '../context.ts'
import { ApiError } from '../errors.ts'
import { recordFailedSignIn } from './failed-sign-ins.ts'
import { withHashingPermit } from './hashing-permits.ts'
import { verifyPassword } from './passwords.ts'
import { clearFailures, codeCounters, countAttempt, passwordCounters, requireUnthrottled } from './throttle.ts'
import { consumeCode } from './totp.ts'

export type Account = typeof users.$inferSelect

type Credentials = { email: string; password: string; code?: string | undefined }

/**
 * Checks a password, and the code where the account has a second factor, and does `work` in the transaction that uses
 * the code up: when the work fails, the code is still good. Wrong ones are counted and audited; while too many were,
 * nothing is checked. Everything stands inside one hashing slot, so parallel guesses cannot overtake the count.
 * @throws ApiError `invalid_credentials`, `totp_required`, `invalid_code`, `rate_limited`, `busy`
 */
export async function withCredentials<T>(
  ctx: Context,
  given: Credentials,
  work: (tx: Tx, account: Account) => Promise<T>,
): Promise<T> {
  const [account] = await ctx.db.select().from(users).where(eq(users.email, given.email))
  const device = await knownDevice(ctx, account)
  const counters = passwordCounters(given.email, ctx.address, device)
  // Before the queue as well, so that those who are refused anyway do not fill it.
  await requireUnthrottled(ctx.db, counters)
  return withHashingPermit(async () => {
    await requireUnthrottled(ctx.db, counters)
    const matches = await verifyPassword(account?.passwordHash ?? null, given.password)
    if (!account?.isActive || !matches) {
      await countAttempt(ctx.db, counters)
      await record(ctx, given, 'password')
      throw new ApiError('invalid_credentials')
    }
    const result = account.totpEnrolledAt
      ? await withCode(ctx, { account, device, given }, work)
      : await ctx.db.transaction(async (tx) => work(tx, await requireUnchanged(tx, account)))
    await clearFailures(ctx.db, counters)
    return result
  })
}

/** The browser, where the account has signed in there before. */
export async function knownDevice(
  ctx: Context,
  account: Pick<Account, 'id' | 'sessionEpoch'> | undefined,
): Promise<Device | null> {
  const device = await ctx.session?.device()
  return device && device.userId === account?.id && device.epoch === account.sessionEpoch ? device : null
}

async function withCode<T>(
  ctx: Context,
  { account, device, given }: { account: Account; device: Device | null; given: Credentials },
  work: (tx: Tx, account: Account) => Promise<T>,
): Promise<T> {
  const { code } = given
  if (code === undefined) throw new ApiError('totp_required')
  const counters = codeCounters(account.id, device)
  await requireUnthrottled(ctx.db, counters)
  try {
    const result = await ctx.db.transaction(async (tx) => {
      const unchanged = await requireUnchanged(tx, account)
      if (!(await consumeCode(tx, ctx.vault, unchanged, code, ctx.now()))) throw new ApiError('invalid_code')
      return work(tx, unchanged)
    })
    await clearFailures(ctx.db, counters)
    return result
  } catch (error) {
    if (error instanceof ApiError && error.api === 'invalid_code') {
      await countAttempt(ctx.db, counters)
      await record(ctx, given, 'code')
    }
    throw error
  }
}

function record({ db, address, now }: Context, { email }: Credentials, reason: 'password' | 'code'): Promise<void> {
  return recordFailedSignIn(db, { email, address, reason, now: now() })
}

/** Locks the account as it was when its password was checked; one that was changed since has to be asked again. */
async function requireUnchanged(tx: Tx, account: Account): Promise<Account> {
  const [row] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, account.id), eq(users.sessionEpoch, account.sessionEpoch), eq(users.isActive, true)))
    .for('update')
  if (!row) throw new ApiError('invalid_credentials')
  return row
}
