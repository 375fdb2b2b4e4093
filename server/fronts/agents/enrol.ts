import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import { eq } from '#db/drizzle.cjs'
import { agentKeys } from '#db/schema/agents.ts'
import { organizations } from '#db/schema/organizations.ts'
import { agents } from '#db/schema/resources.ts'
import { audit } from '../../audit.ts'
import { ApiError } from '../../errors.ts'
import { withAdmission } from '../../http/admission.ts'
import { addressBucket } from '../../http/client-address.ts'
import { rateLimitKey, requireWithinLimit } from '../../http/rate-limits.ts'
import { findEnrolledKey, findSpentToken, spendToken } from '../../identity/auth/agent-enrolments.ts'
import { log } from '../../process/log.ts'
import {
  CLOCK_SKEW_MAX_SECONDS,
  type EnrolAnswer,
  EnrolRequest,
  MINIMUM_PROTOCOL,
} from '../../schemas/agents/protocol.ts'
import { isSignedBy } from '../../signatures/message-signature.ts'
import type { AgentCall, Gateway } from './requests/gateway-context.ts'
import { readMessage } from './requests/read-body.ts'
import { recordAttack } from './requests/refusals.ts'

const MAX_BYTES = 8_192
const DEADLINE_MS = 8_000
/** Enrolments per address and minute. */
const LIMIT = { max: 30, windowSeconds: 60 }

/**
 * Registers the public key of a new agent for its one-time token. The request is signed with the key itself, so a
 * caller cannot register a key that it does not hold.
 * @throws ApiError `invalid_signature`, `clock_skew`, `agent_too_old`, `enrolment_invalid`, `already_exists`,
 * `rate_limited`
 */
export async function enrol(gateway: Gateway, call: AgentCall): Promise<EnrolAnswer> {
  const { runtime } = gateway
  const { signature } = call
  const publicKey = Buffer.from(signature?.keyId ?? '', 'base64url')
  if (!signature || publicKey.length !== 32 || !isSignedBy(call.signable, signature, publicKey)) {
    throw new ApiError('invalid_signature')
  }
  const given = await readMessage(call, EnrolRequest, { maxBytes: MAX_BYTES })
  if (given.publicKey !== signature.keyId) throw new ApiError('invalid_signature')
  const now = runtime.now()
  if (Math.abs(now.getTime() / 1_000 - signature.created) > CLOCK_SKEW_MAX_SECONDS) {
    throw new ApiError('clock_skew', { now: now.toISOString() })
  }
  if (Math.min(given.protocol, call.protocol) < MINIMUM_PROTOCOL) {
    throw new ApiError('agent_too_old', { minimum: MINIMUM_PROTOCOL })
  }
  const network = addressBucket(call.address)
  return await withAdmission(
    `address ${network}`,
    async () => {
      if (runtime.settings.RATE_LIMIT_ENABLED) {
        await requireWithinLimit(runtime.db, rateLimitKey('enrolment', network), LIMIT)
      }
      const enrolled = await runtime.db.transaction((tx) => register(tx, call, given, publicKey, now))
      if (!enrolled) throw await refuseToken(gateway, call, given.token)
      return { ...enrolled, settings: gateway.settings }
    },
    DEADLINE_MS,
  )
}

/**
 * Returns null, and changes nothing, when the token cannot be used. An agent that missed the response to its enrolment
 * repeats the request with the same key, and gets the same response.
 */
async function register(
  tx: Tx,
  { address }: AgentCall,
  { token, name, version }: EnrolRequest,
  publicKey: Buffer,
  now: Date,
): Promise<Omit<EnrolAnswer, 'settings'> | null> {
  const known = await findEnrolledKey(tx, token, publicKey)
  const used = known ? null : await spendToken(tx, token, now)
  // The first request may have been stored while this one waited for the token.
  const again = known ?? (used ? null : await findEnrolledKey(tx, token, publicKey))
  const agentId = again?.agentId ?? used?.agentId
  if (agentId === undefined) return null
  const [agent] = await tx
    .select({
      slug: agents.slug,
      label: agents.label,
      organizationId: agents.organizationId,
      owner: organizations.name,
    })
    .from(agents)
    .leftJoin(organizations, eq(organizations.id, agents.organizationId))
    .where(eq(agents.id, agentId))
  if (!agent) return null
  const { slug, label, organizationId, owner } = agent
  const answerOf = (keyId: string) => ({
    keyId,
    agent: { slug, label },
    organization: owner === null ? null : { name: owner },
  })
  if (again) return answerOf(again.keyId)
  const keyId = uuidv7()
  await tx.insert(agentKeys).values({ id: keyId, agentId, publicKey, name, createdBy: used?.createdBy, createdAt: now })
  await tx.update(agents).set({ isRemote: true }).where(eq(agents.id, agentId))
  if (organizationId === null) log.info({ agent: slug, keyId, host: name, address }, 'a shared agent was enrolled')
  else {
    await audit(
      tx,
      { actor: { organizationId, userId: null, email: null, key: null }, address },
      {
        action: 'agent.enrol',
        entityType: 'agent',
        entityId: agentId,
        entityName: slug,
        details: { keyId, name, version },
      },
    )
  }
  return answerOf(keyId)
}

async function refuseToken({ runtime }: Gateway, { address }: AgentCall, token: string): Promise<ApiError> {
  const now = runtime.now()
  const spent = await findSpentToken(runtime.db, token, now)
  if (spent) await recordAttack(runtime.db, spent.agent, spent.attack, { address, now })
  return new ApiError('enrolment_invalid')
}
