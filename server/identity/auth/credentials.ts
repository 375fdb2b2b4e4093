import type { Tx } from '#db/client.ts'
import { and, eq } from '#db/drizzle.cjs'
import { users } from '#db/schema/organizations.ts'
import type { Context, Device } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { PasskeyProof } from '../../schemas/account/passkey-proof.ts'
import type { ErrorCode } from '../../schemas/errors/error-table.ts'
import { type FailedSignIn, recordFailedSignIn } from './failed-sign-ins.ts'
import { withHashingPermit } from './hashing-permits.ts'
import { consumePasskey, type SecondFactors, secondFactorsOf } from './passkeys.ts'
import { verifyPassword } from './passwords.ts'
import { clearFailures, codeCounters, countAttempt, passwordCounters, requireUnthrottled } from './throttle.ts'
import { consumeCode } from './totp.ts'

export type Account = typeof users.$inferSelect

type Credentials = {
  email: string
  password: string
  code?: string | undefined
  passkey?: PasskeyProof | undefined
}

/** The codes with which `withCredentials` refuses. */
export const CREDENTIAL_ERRORS: ErrorCode[] = [
  'invalid_credentials',
  'totp_required',
  'invalid_code',
  'invalid_passkey',
  'passkeys_unavailable',
  'rate_limited',
  'busy',
]

/**
 * Checks a password, and the code or passkey if the account has a second factor, then runs `work` in the transaction that
 * uses the code or the challenge up: when `work` fails, it stays valid. Failures are counted and audited; after too many, nothing is checked.
 * All of it runs with one hashing permit, so parallel guesses cannot overtake the count.
 * @throws ApiError one of `CREDENTIAL_ERRORS`
 */
export async function withCredentials<T>(
  ctx: Context,
  credentials: Credentials,
  work: (tx: Tx, account: Account) => Promise<T>,
): Promise<T> {
  const [account] = await ctx.db.select().from(users).where(eq(users.email, credentials.email))
  const device = await knownDevice(ctx, account)
  const counters = passwordCounters(credentials.email, ctx.address, device)
  // Also before the queue, so that refused attempts do not fill it.
  await requireUnthrottled(ctx.db, counters)
  return withHashingPermit(async () => {
    await requireUnthrottled(ctx.db, counters)
    const matches = await verifyPassword(account?.passwordHash ?? null, credentials.password)
    if (!account?.isActive || !matches) {
      await countAttempt(ctx.db, counters)
      await record(ctx, credentials, 'password')
      throw new ApiError('invalid_credentials')
    }
    const factors = await secondFactorsOf(ctx.db, account.id)
    const result = factors.isOn
      ? await withSecondFactor(ctx, { account, device, credentials, factors }, work)
      : await ctx.db.transaction(async (tx) => work(tx, await requireUnchanged(tx, account)))
    await clearFailures(ctx.db, counters)
    return result
  })
}

/** Returns the device of the request's browser if the account has signed in with it before, else null. */
export async function knownDevice(
  ctx: Context,
  account: Pick<Account, 'id' | 'sessionEpoch'> | undefined,
): Promise<Device | null> {
  const device = await ctx.session?.device()
  return device && device.userId === account?.id && device.epoch === account.sessionEpoch ? device : null
}

type Checked = { account: Account; device: Device | null; credentials: Credentials; factors: SecondFactors }

async function withSecondFactor<T>(
  ctx: Context,
  { account, device, credentials, factors }: Checked,
  work: (tx: Tx, account: Account) => Promise<T>,
): Promise<T> {
  const { code, passkey } = credentials
  if (code === undefined && !passkey) {
    throw new ApiError('totp_required', { hasTotp: factors.hasTotp, hasPasskey: factors.hasPasskey })
  }
  const counters = codeCounters(account.id, device)
  await requireUnthrottled(ctx.db, counters)
  try {
    const result = await ctx.db.transaction(async (tx) => {
      const unchanged = await requireUnchanged(tx, account)
      if (passkey) await consumePasskey(tx, ctx, passkey, account.id)
      else if (!(await consumeCode(tx, ctx.vault, unchanged, String(code), ctx.now())))
        throw new ApiError('invalid_code')
      return work(tx, unchanged)
    })
    await clearFailures(ctx.db, counters)
    return result
  } catch (error) {
    if (error instanceof ApiError && (error.api === 'invalid_code' || error.api === 'invalid_passkey')) {
      await countAttempt(ctx.db, counters)
      await record(ctx, credentials, passkey ? 'passkey' : 'code')
    }
    throw error
  }
}

function record({ db, address, now }: Context, { email }: Credentials, reason: FailedSignIn): Promise<void> {
  return recordFailedSignIn(db, { email, address, reason, now: now() })
}

/** Locks the account. @throws ApiError `invalid_credentials` when it changed since its password was checked */
async function requireUnchanged(tx: Tx, account: Account): Promise<Account> {
  const [row] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, account.id), eq(users.sessionEpoch, account.sessionEpoch), eq(users.isActive, true)))
    .for('update')
  if (!row) throw new ApiError('invalid_credentials')
  return row
}
