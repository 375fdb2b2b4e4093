import { isIP } from 'node:net'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Queryable, Tx } from '#db/client.ts'
import { and, eq, isNull, lt, or, type SQL, sql } from '#db/drizzle.cjs'
import { passkeys } from '#db/schema/credentials.ts'
import { users } from '#db/schema/organizations.ts'
import type { Challenge, Context, SessionPort } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { PasskeyProof } from '../../schemas/account/passkey-proof.ts'
import type { CreatedPasskey } from '../../schemas/account/passkeys.ts'
import { CHALLENGE_MAX_MS } from './cookies.ts'

// Passkeys (WebAuthn). Every one is found by the browser without a name, and verifies its user by itself, by a PIN or a
// finger: so it stands for both factors at a sign-in without a password.

const NAME = 'Soundline'
const USER_VERIFICATION = 'required'
/** EdDSA, ES256 and RS256, which all browsers and authenticators know. Without them the library asks Node for more. */
const ALGORITHMS = [-8, -7, -257]

/** Browsers bind a passkey to the name of the host. */
type RelyingParty = { id: string; origin: string }

/** Returns the party for the address of the dashboard; null where browsers allow no passkeys. */
export function relyingParty(address: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(address)
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isSecure && isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : null
}

export type SecondFactors = { hasTotp: boolean; hasPasskey: boolean; isOn: boolean }

/** Whether an account has a passkey, for queries of `users`. */
export const hasPasskeys = sql<boolean>`exists (select from passkeys p where p.user_id = users.id)`

export async function secondFactorsOf(db: Queryable, userId: string): Promise<SecondFactors> {
  const [account] = await db
    .select({ hasTotp: sql<boolean>`${users.totpEnrolledAt} is not null`, hasPasskey: hasPasskeys })
    .from(users)
    .where(eq(users.id, userId))
  const { hasTotp = false, hasPasskey = false } = account ?? {}
  return { hasTotp, hasPasskey, isOn: hasTotp || hasPasskey }
}

/** Gives this browser a challenge that any passkey may sign. @throws ApiError `passkeys_unavailable` */
export async function requestOptions(
  ctx: Context & { session: SessionPort },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const options = await generateAuthenticationOptions({
    rpID: requireParty(ctx).id,
    userVerification: USER_VERIFICATION,
    timeout: CHALLENGE_MAX_MS,
  })
  ctx.session.setChallenge({ challenge: options.challenge, sessionId: null, at: ctx.now() })
  return options
}

/** Gives this session a challenge for a new passkey. @throws ApiError `passkeys_unavailable` */
export async function creationOptions(
  tx: Tx,
  ctx: Context & { session: SessionPort; sessionId: string },
  account: { id: string; email: string; displayName: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const held = await tx.select({ id: passkeys.credentialId }).from(passkeys).where(eq(passkeys.userId, account.id))
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: requireParty(ctx).id,
    userID: new TextEncoder().encode(account.id),
    userName: account.email,
    userDisplayName: account.displayName,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: held.map(({ id }) => ({ id: id.toString('base64url') })),
    authenticatorSelection: { residentKey: 'required', userVerification: USER_VERIFICATION },
    timeout: CHALLENGE_MAX_MS,
  })
  ctx.session.setChallenge({ challenge: options.challenge, sessionId: ctx.sessionId, at: ctx.now() })
  return options
}

/** Checks a new passkey and uses up the challenge of its session. @throws ApiError `invalid_passkey` */
export async function verifyNewPasskey(
  ctx: Context & { session: SessionPort; sessionId: string },
  { id, response }: CreatedPasskey,
): Promise<{ credentialId: Buffer; publicKey: Buffer; counter: number }> {
  const party = requireParty(ctx)
  const { challenge } = await requireChallenge(ctx, ctx.sessionId)
  const verified = await verifyRegistrationResponse({
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse)
  if (!verified.verified) throw new ApiError('invalid_passkey')
  ctx.session.setChallenge(null)
  const { credential } = verified.registrationInfo
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
  }
}

/**
 * Checks the signature of a passkey of an account that the caller has locked, and uses up the challenge. Of parallel
 * attempts with one challenge, exactly one succeeds. A counter below the stored one is refused: the passkey was copied.
 * @throws ApiError `invalid_passkey` or `passkeys_unavailable`
 */
export async function consumePasskey(
  tx: Tx,
  ctx: Context,
  { id, response }: PasskeyProof,
  userId: string,
): Promise<void> {
  const party = requireParty(ctx)
  const challenge = await requireChallenge(ctx, null)
  const [passkey] = await tx
    .select()
    .from(passkeys)
    .where(and(hasCredential(id), eq(passkeys.userId, userId)))
  if (!passkey) throw new ApiError('invalid_passkey')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
    expectedChallenge: challenge.challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
  }).catch(refuse)
  // A challenge that is older than the last use may have been signed before.
  const isUnused = or(isNull(passkeys.lastUsedAt), lt(passkeys.lastUsedAt, challenge.at))
  const used = await tx
    .update(passkeys)
    .set({ counter: authenticationInfo.newCounter, lastUsedAt: ctx.now() })
    .where(and(eq(passkeys.id, passkey.id), isUnused))
    .returning({ id: passkeys.id })
  if (!verified || used.length === 0) throw new ApiError('invalid_passkey')
  ctx.session?.setChallenge(null)
}

/** Returns the account that has the passkey; null if none has. */
export async function ownerOf(db: Queryable, { id }: PasskeyProof): Promise<{ id: string; email: string } | null> {
  const [owner] = await db
    .select({ id: users.id, email: users.email })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(hasCredential(id))
  return owner ?? null
}

function hasCredential(id: string): SQL {
  return eq(passkeys.credentialId, Buffer.from(id, 'base64url'))
}

function requireParty(ctx: Context): RelyingParty {
  const party = relyingParty(ctx.origin)
  if (!party) throw new ApiError('passkeys_unavailable')
  return party
}

/** @throws ApiError `invalid_passkey` without a challenge, or with one that was given for something else */
async function requireChallenge(ctx: Context, sessionId: string | null): Promise<Challenge> {
  const challenge = await ctx.session?.challenge()
  if (!challenge || challenge.sessionId !== sessionId) throw new ApiError('invalid_passkey')
  return challenge
}

/** The library throws for everything that is wrong with a response, such as its origin. */
function refuse(): never {
  throw new ApiError('invalid_passkey')
}
