import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { ApiError } from '../../../errors.ts'
import { withAdmission } from '../../../http/admission.ts'
import { addressBucket } from '../../../http/client-address.ts'
import { addToWindow, rateLimitKey, secondsLeft, windowStart } from '../../../http/rate-limits.ts'
import { CLOCK_SKEW_MAX_SECONDS } from '../../../schemas/agents/protocol.ts'
import { isSignedBy, type MessageSignature } from '../../../signatures/message-signature.ts'
import { type AgentIdentity, findKey, type KnownKey, refusalOf } from './agent-key.ts'
import type { AgentCall, Gateway } from './gateway-context.ts'
import { type Attack, recordAttack } from './refusals.ts'

const DEADLINE_MS = 8_000
const WINDOW_SECONDS = 60
/** How much longer than its signature a nonce is kept. */
const NONCE_MARGIN_SECONDS = 60

/**
 * Returns the agent that signed a request. The checks are in the order of their cost, and an address that fails too often
 * is refused before any of them.
 * @throws ApiError `rate_limited`, `invalid_signature`, `agent_revoked`, `clock_skew` or `replayed`
 */
export async function authenticateAgent(gateway: Gateway, call: AgentCall): Promise<AgentIdentity> {
  const { runtime } = gateway
  const { signature } = call
  if (!signature || !z.guid().safeParse(signature.keyId).success) throw new ApiError('invalid_signature')
  const caller = `address ${addressBucket(call.address)}`
  return await withAdmission(
    caller,
    async () => {
      const key = await findKey(runtime.db, signature.keyId)
      if (!key) throw new ApiError('invalid_signature')
      const refuse = refuserOf(gateway, call, key)
      if (!isSignedBy(call.signable, signature, key.publicKey)) {
        throw await refuse('invalid_signature', new ApiError('invalid_signature'))
      }
      const refusal = refusalOf(key)
      if (refusal) throw key.revokedAt === null ? refusal : await refuse('revoked_key', refusal)
      const now = runtime.now()
      if (Math.abs(now.getTime() / 1_000 - signature.created) > CLOCK_SKEW_MAX_SECONDS) {
        throw await refuse('clock_skew', new ApiError('clock_skew', { now: now.toISOString() }))
      }
      const use = await spendNonce(runtime.db, signature)
      if (!use.isNew) throw await refuse('replayed', new ApiError('replayed'))
      if (runtime.settings.RATE_LIMIT_ENABLED && use.used > runtime.settings.RATE_LIMIT_AGENT_MAX) {
        throw new ApiError('rate_limited', undefined, { 'Retry-After': String(use.secondsLeft) })
      }
      gateway.failures.trust(call)
      const { publicKey, revokedAt, isActive, ...agent } = key
      return agent
    },
    DEADLINE_MS,
  )
}

/** Returns a reporter: records an attack with an agent's key, and returns the error to throw. */
export function refuserOf(
  { runtime }: Pick<Gateway, 'runtime'>,
  { address }: Pick<AgentCall, 'address'>,
  agent: AgentIdentity | KnownKey,
): (attack: Attack, error: ApiError) => Promise<ApiError> {
  return async (attack, error) => {
    const { agentId: id, slug, organizationId } = agent
    await recordAttack(runtime.db, { id, slug, organizationId }, attack, { address, now: runtime.now() })
    return error
  }
}

type NonceUse = {
  isNew: boolean
  /** The key's requests in this minute. */
  used: number
  secondsLeft: number
}

/** Stores the nonce, counts the request and notes when the key was used, in one statement. */
async function spendNonce(db: Db, { keyId, nonce, created }: MessageSignature): Promise<NonceUse> {
  const expires = new Date((created + CLOCK_SKEW_MAX_SECONDS + NONCE_MARGIN_SECONDS) * 1_000).toISOString()
  const length = sql`${WINDOW_SECONDS}::int`
  const [row] = await db.execute<NonceUse>(sql`
    with fresh as (
      insert into agent_nonces (key_id, nonce, expires_at)
      values (${keyId}, ${createHash('sha256').update(nonce).digest()}, ${expires})
      on conflict do nothing returning 1),
    used as (
      update agent_keys set last_used_at = now()
      where id = ${keyId} and (last_used_at is null or last_used_at < now() - interval '10 seconds')
        and exists (select from fresh)),
    counted as (
      insert into rate_limits (key, window_start, used) values (${rateLimitKey('agent', keyId)}, ${windowStart}, 1)
      ${addToWindow(length)} returning used, window_start)
    select exists (select from fresh) as "isNew", c.used, ${secondsLeft(sql`c.window_start`, length)} as "secondsLeft"
    from counted c`)
  return row as NonceUse
}
