import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { and, eq, gt, isNull, or, sql } from '#db/drizzle.cjs'
import { agentEnrolments, agentKeys } from '#db/schema/agents.ts'
import { ApiError } from '../../errors.ts'
import { TOKEN_PREFIX } from '../../schemas/agents/protocol.ts'
import { mayEnrolAgentsNow } from './actor.ts'

/** How long an enrolment token is valid. */
const TOKEN_MINUTES = 15
/** Keys that are not revoked and tokens that can still be used, per agent. */
const KEYS_MAX = 100

export type Enrolment = { token: string; expiresAt: Date }

/**
 * Creates a one-time token with which a remote agent enrols. Only its digest is stored. `createdBy` is null for the
 * operator.
 * @throws ApiError `agent_key_limit_reached`
 */
export async function createEnrolment(
  tx: Tx,
  agent: { id: string; organizationId: string | null },
  createdBy: string | null,
  now: Date,
): Promise<Enrolment> {
  if ((await countKeys(tx, agent.id, now)) >= KEYS_MAX) throw new ApiError('agent_key_limit_reached', { max: KEYS_MAX })
  const token = `${TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`
  const expiresAt = new Date(now.getTime() + TOKEN_MINUTES * 60_000)
  await tx.insert(agentEnrolments).values({
    id: uuidv7(),
    organizationId: agent.organizationId,
    agentId: agent.id,
    tokenDigest: digestOf(token),
    createdBy,
    expiresAt,
    createdAt: now,
  })
  return { token, expiresAt }
}

async function countKeys(db: Queryable, agentId: string, now: Date): Promise<number> {
  const live = and(eq(agentKeys.agentId, agentId), isNull(agentKeys.revokedAt))
  const open = and(
    eq(agentEnrolments.agentId, agentId),
    isNull(agentEnrolments.usedAt),
    gt(agentEnrolments.expiresAt, now),
  )
  return (await db.$count(agentKeys, live)) + (await db.$count(agentEnrolments, open))
}

/**
 * Uses up a token and returns its agent and who created it; null when it is unknown, used, expired, or of a member who
 * may not enrol agents now.
 */
export async function spendToken(
  tx: Tx,
  token: string,
  now: Date,
): Promise<{ agentId: string; createdBy: string | null } | null> {
  // Before the token, as the removal of the agent does.
  await tx.execute(sql`
    select from agents a join agent_enrolments e on e.agent_id = a.id where e.token_digest = ${digestOf(token)}
    for no key update of a`)
  // What changes members locks their organization, so a member who is being removed counts as removed.
  await tx.execute(sql`
    select from organizations o join agent_enrolments e on e.organization_id = o.id
    where e.token_digest = ${digestOf(token)} for share of o`)
  const [row] = await tx
    .update(agentEnrolments)
    .set({ usedAt: now })
    .where(
      and(
        eq(agentEnrolments.tokenDigest, digestOf(token)),
        isNull(agentEnrolments.usedAt),
        gt(agentEnrolments.expiresAt, now),
        or(isNull(agentEnrolments.createdBy), isOfEntitled),
      ),
    )
    .returning({ agentId: agentEnrolments.agentId, createdBy: agentEnrolments.createdBy })
  return row ?? null
}

const isOfEntitled = mayEnrolAgentsNow(sql`agent_enrolments.created_by`, sql`agent_enrolments.organization_id`)

/** Returns the key that was registered before, with this token or another one of the same agent; null when it was revoked. */
export async function findEnrolledKey(
  tx: Queryable,
  token: string,
  publicKey: Buffer,
): Promise<{ agentId: string; keyId: string } | null> {
  const [row] = await tx
    .select({ agentId: agentKeys.agentId, keyId: agentKeys.id })
    .from(agentKeys)
    .innerJoin(agentEnrolments, eq(agentEnrolments.agentId, agentKeys.agentId))
    .where(
      and(
        eq(agentKeys.publicKey, publicKey),
        isNull(agentKeys.revokedAt),
        eq(agentEnrolments.tokenDigest, digestOf(token)),
      ),
    )
  return row ?? null
}

/** Returns the agent of a token that can no longer be used, and why; null for an unknown token. */
export async function findSpentToken(db: Queryable, token: string, now: Date) {
  const [row] = await db.execute<SpentRow>(sql`
    select a.id, a.slug, a.organization_id, e.used_at is not null as is_used,
      e.expires_at <= ${now.toISOString()}::timestamptz as is_expired
    from agent_enrolments e join agents a on a.id = e.agent_id where e.token_digest = ${digestOf(token)}`)
  if (!row) return null
  const attack = row.is_used ? 'used_token' : row.is_expired ? 'expired_token' : 'ended_token'
  return { attack, agent: { id: row.id, slug: row.slug, organizationId: row.organization_id } } as const
}

type SpentRow = { id: string; slug: string; organization_id: string | null; is_used: boolean; is_expired: boolean }

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
