import { v5 as uuidv5 } from 'uuid'
import type { Queryable } from '#db/client.ts'
import { eq } from '#db/drizzle.cjs'
import { agentKeys } from '#db/schema/agents.ts'
import { agents } from '#db/schema/resources.ts'
import { ApiError } from '../../../errors.ts'
import type { WorkerIdentity } from '../../../runs/probes/leases.ts'

/** A remote agent as the key of a request names it. */
export type AgentIdentity = {
  keyId: string
  /** The host name that the agent gave at its enrolment. */
  host: string
  agentId: string
  slug: string
  label: string
  /** The organization whose runs it gets; null for the runs of all. */
  organizationId: string | null
}

export type KnownKey = AgentIdentity & { publicKey: Buffer; revokedAt: Date | null; isActive: boolean }

/** Returns the key with its agent; null when there is none. Read for each request, so that a revoked key ends at once. */
export async function findKey(db: Queryable, keyId: string): Promise<KnownKey | null> {
  const [row] = await db
    .select({
      keyId: agentKeys.id,
      host: agentKeys.name,
      publicKey: agentKeys.publicKey,
      revokedAt: agentKeys.revokedAt,
      agentId: agents.id,
      slug: agents.slug,
      label: agents.label,
      organizationId: agents.organizationId,
      isActive: agents.isActive,
    })
    .from(agentKeys)
    .innerJoin(agents, eq(agents.id, agentKeys.agentId))
    .where(eq(agentKeys.id, keyId))
  return row ?? null
}

/** Returns why a key can no longer be used; null while it can. */
export function refusalOf(key: Pick<KnownKey, 'revokedAt' | 'isActive'> | null): ApiError | null {
  // The key of a removed agent is gone.
  if (key === null || key.revokedAt !== null) return new ApiError('agent_revoked', { reason: 'revoked' })
  return key.isActive ? null : new ApiError('agent_revoked', { reason: 'inactive' })
}

export type AgentWorker = WorkerIdentity & { keyId: string }

/** Returns the agent's process as runs name it. The id depends on the key, so no agent can name another's process. */
export function workerOf(agent: AgentIdentity, instance: string, leaseSeconds: number): AgentWorker {
  const { keyId, agentId, slug: agentSlug } = agent
  const isOwnAgent = agent.organizationId !== null
  return { id: uuidv5(instance, keyId), agentId, agentSlug, isOwnAgent, leaseSeconds, keyId }
}
