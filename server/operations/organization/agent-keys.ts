import { z } from 'zod'
import type { Tx } from '#db/client.ts'
import { and, desc, eq, isNull, sql } from '#db/drizzle.cjs'
import { agentKeys } from '#db/schema/agents.ts'
import { memberships, users } from '#db/schema/organizations.ts'
import { agents } from '#db/schema/resources.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { mayEnrolAgents } from '../../identity/auth/actor.ts'
import { createEnrolment } from '../../identity/auth/agent-enrolments.ts'
import { returnLeasesOfKey } from '../../identity/auth/agent-leases.ts'
import { lockAgent } from '../../schedule/agent-runs.ts'
import { Ok } from '../../schemas/conventions.ts'
import { AgentEnrol, AgentEnrolment, AgentKey } from '../../schemas/organization/agent-keys.ts'
import { AgentSlug } from '../../schemas/organization/agents.ts'
import { createOwnAgent } from '../../services/agents/own-agents.ts'
import { orgSessionProcedure, orgSessionProcedureOfAny } from '../../trpc.ts'

// Remote agents of an organization: tokens with which they enrol, and the keys that they hold.

/** Keys of one agent that a list shows, newest first. */
const LISTED_MAX = 200

/** Who may revoke keys or enrol agents may see them. */
export const agentsReadProcedure = orgSessionProcedureOfAny(['settings', 'read'], ['workspaces', 'write'])

/** Creates a one-time token. A slug that no agent has yet becomes a new agent of the organization. */
export const enrol = orgSessionProcedure('workspaces', 'write')
  .input(AgentEnrol)
  .output(AgentEnrolment)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const { organizationId, userId } = ctx.actor
      const { slug } = input
      const id = (await findOwnAgent(tx, ctx, slug)) ?? (await createOwnAgent(tx, ctx, { label: slug, ...input }))
      const { token, expiresAt } = await createEnrolment(tx, { id, organizationId }, userId, ctx.now())
      await audit(tx, ctx, {
        action: 'agent.invite',
        entityType: 'agent',
        entityId: id,
        entityName: slug,
        details: { expiresAt: expiresAt.toISOString() },
      })
      const command = `SOUNDLINE_URL=${ctx.origin} AGENT_TOKEN=${token} npx -y ${ctx.origin}/agent.tgz`
      return { token, expiresAt: expiresAt.toISOString(), command }
    }),
  )

/** Revokes a key at once: its next request is refused, and the runs that it holds are queued again. */
export const revoke = orgSessionProcedureOfAny(['settings', 'write'], ['workspaces', 'write'])
  .input(z.object({ slug: AgentSlug, keyId: z.guid() }))
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const id = await findOwnAgent(tx, ctx, input.slug)
      if (id === null) throw notFound()
      await lockAgent(tx, id)
      const [key] = await tx
        .update(agentKeys)
        .set({ revokedAt: ctx.now() })
        .where(and(eq(agentKeys.id, input.keyId), eq(agentKeys.agentId, id), isNull(agentKeys.revokedAt)))
        .returning({ name: agentKeys.name })
      if (!key) throw notFound()
      await returnLeasesOfKey(tx, input.keyId)
      await audit(tx, ctx, {
        action: 'agent.revoke_key',
        entityType: 'agent',
        entityId: id,
        entityName: input.slug,
        details: { keyId: input.keyId, name: key.name },
      })
      return { ok: true as const }
    }),
  )

/** The keys of one of the organization's agents, newest first. */
export const keys = agentsReadProcedure
  .input(z.object({ slug: AgentSlug }))
  .output(z.array(AgentKey))
  .query(async ({ ctx, input }) => {
    const id = await findOwnAgent(ctx.db, ctx, input.slug)
    if (id === null) throw notFound()
    const organization = sql`${ctx.actor.organizationId}::uuid`
    const rows = await ctx.db
      .select({
        key: agentKeys,
        email: users.email,
        isMember: sql<boolean>`coalesce(${memberships.isActive} and ${users.isActive}, false)`,
        mayEnrol: mayEnrolAgents(sql`${agentKeys.createdBy}`, organization),
      })
      .from(agentKeys)
      .leftJoin(users, eq(users.id, agentKeys.createdBy))
      .leftJoin(
        memberships,
        and(eq(memberships.organizationId, ctx.actor.organizationId), eq(memberships.userId, users.id)),
      )
      .where(eq(agentKeys.agentId, id))
      .orderBy(desc(agentKeys.createdAt), desc(agentKeys.id))
      .limit(LISTED_MAX)
    return rows.map(({ key: { id: keyId, name, createdAt, lastUsedAt, revokedAt, createdBy }, ...maker }) => ({
      keyId,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      revokedAt: revokedAt?.toISOString() ?? null,
      createdBy: createdBy === null ? null : { userId: createdBy, ...maker },
    }))
  })

async function findOwnAgent(db: Pick<Tx, 'select'>, ctx: ActorContext, slug: string): Promise<string | null> {
  const [row] = await db
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.slug, slug), eq(agents.organizationId, ctx.actor.organizationId)))
  return row?.id ?? null
}
