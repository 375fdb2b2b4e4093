import { anyOf, uuids } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { and, asc, eq, type SQL, sql } from '#db/drizzle.cjs'
import { byName } from '#db/order.ts'
import { agents } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import type { ActorContext } from '../../context.ts'
import { type ApiError, notFound } from '../../errors.ts'
import { mayEnrolAgents } from '../../identity/auth/actor.ts'
import { isWorkerAlive } from '../../schedule/agent-liveness.ts'
import { isExcluded, isOpen, isVisibleTo } from '../../schedule/usable-agents.ts'
import type { AgentProcess, AgentState } from '../../schemas/organization/agents.ts'

// What the dashboard and the API show of agents: their rows, and their live processes.

/** A live process that takes nothing for this long while runs are queued is stalled. Longer than a run lasts by default. */
const STALLED_SECONDS = 90
const STALLED_BEFORE = sql`now() - make_interval(secs => ${STALLED_SECONDS})`

/** Whether the caller's organization can see an agent. */
export function isVisible(ctx: ActorContext): SQL {
  return isVisibleTo(sql`agents`, sql`${ctx.actor.organizationId}::uuid`)
}

/** An agent by what a request names it with. */
export type AgentRef = { id: string } | { slug: string }

export function isAgent(agent: AgentRef): SQL {
  return 'id' in agent ? eq(agents.id, agent.id) : eq(agents.slug, agent.slug)
}

export function agentNotFound(agent: AgentRef): ApiError {
  return notFound('id' in agent ? 'id' : 'slug')
}

/** Returns the agents that the organization can see, by slug. */
export async function readAgentStates(ctx: ActorContext, where: SQL = isVisible(ctx)): Promise<AgentState[]> {
  const organization = sql`${ctx.actor.organizationId}::uuid`
  const rows = await ctx.db
    .select({
      id: agents.id,
      slug: agents.slug,
      label: agents.label,
      isActive: sql<boolean>`${agents.isActive} and not ${isExcluded(sql`agents.id`, organization)}`,
      organizationId: agents.organizationId,
      isRemote: agents.isRemote,
      isOpen: isOpen(sql`agents`),
      allowedNetworks: sql<string[] | null>`case when ${agents.isRemote} then ${agents.allowedNetworks} end`,
      createdAt: agents.createdAt,
      lastSeenAt: sql<Date | null>`greatest(${agents.lastSeenAt}, (
        select max(w.heartbeat_at) from workers w where w.agent_id = agents.id))`.mapWith(workers.heartbeatAt),
      isLost: sql<boolean>`exists (select 1 from lost_agents l
        where l.agent_id = agents.id and l.organization_id = ${organization})`,
      keysToRevoke: sql<number>`(select count(*)::int from agent_keys k
        where k.agent_id = agents.id and agents.organization_id = ${organization} and k.revoked_at is null
          and k.created_by is not null and not ${mayEnrolAgents(sql`k.created_by`, organization)})`,
    })
    .from(agents)
    .where(and(isVisible(ctx), where))
    .orderBy(byName(agents.slug))
  const ids = rows.map(({ id }) => id)
  const alive = await readLiveProcesses(ctx, ids)
  return rows.map(({ id, organizationId, isRemote, ...row }) => {
    const isShared = organizationId === null
    const processes = (alive.get(id) ?? []).map((process) => (isShared ? withoutPlace(process) : process))
    return {
      id,
      ...row,
      kind: isRemote ? 'remote' : 'in-house',
      isShared,
      ...summaryOf(processes),
      processes,
      lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
    }
  })
}

/** @throws ApiError `not_found` for an agent that the organization cannot see */
export async function requireAgentState(ctx: ActorContext, agent: AgentRef): Promise<AgentState> {
  const [state] = await readAgentStates(ctx, isAgent(agent))
  if (!state) throw agentNotFound(agent)
  return state
}

/** The host and the address of a shared agent belong to the operator of the installation. */
function withoutPlace(process: AgentProcess): AgentProcess {
  return { ...process, host: null, address: null }
}

/** The sums over the live processes of an agent; null for a value that no process reports. */
function summaryOf(processes: AgentProcess[]) {
  const reporting = processes.filter(({ slots }) => slots !== null)
  const sum = (values: (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)
  return {
    // Oldest process first, so that the newest one's release comes last.
    versions: [...new Set(processes.flatMap(({ version }) => version ?? []))],
    capacity:
      reporting.length > 0
        ? { slots: sum(reporting.map(({ slots }) => slots)), busy: sum(reporting.map(({ busy }) => busy)) }
        : null,
    load: maxOf(processes.map(({ cpu }) => cpu)),
    latenessMs: maxOf(processes.map(({ latenessMs }) => latenessMs)),
    clockOffsetMs: farthest(processes.map(({ clockOffsetMs }) => clockOffsetMs)),
  }
}

function maxOf(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length > 0 ? Math.max(...known) : null
}

/** The clock that differs most, in either direction. */
function farthest(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.sort((a, b) => Math.abs(b) - Math.abs(a))[0] ?? null
}

/** The live processes of the agents by agent id, oldest first. */
async function readLiveProcesses(
  { db, settings }: ActorContext,
  agentIds: string[],
): Promise<Map<string, AgentProcess[]>> {
  const rows = await db
    .select({
      id: workers.id,
      agentId: workers.agentId,
      kind: workers.kind,
      host: workers.host,
      address: workers.address,
      version: workers.version,
      slots: workers.slots,
      busy: workers.busy,
      cpu: workers.cpu,
      latenessMs: workers.latenessMs,
      clockOffsetMs: workers.clockOffsetMs,
      allowedNetworks: sql<string[] | null>`case when ${workers.kind} = 'agent' then ${workers.allowedNetworks} end`,
      startedAt: workers.startedAt,
      lastSeenAt: workers.heartbeatAt,
      lastTask: workers.lastTask,
      lastTakenAt: workers.lastTakenAt,
      isIdle: sql<boolean>`coalesce(${workers.lastTakenAt}, ${workers.startedAt}) < ${STALLED_BEFORE}`,
    })
    .from(workers)
    .where(and(anyOf(workers.agentId, agentIds), isWorkerAlive(sql`workers`, settings.WORKER_STALE_SECONDS)))
    .orderBy(asc(workers.startedAt))
  const waitedFor = await findWaitedFor(
    db,
    rows.flatMap(({ agentId, isIdle }) => (isIdle ? agentId : [])),
  )
  const found = new Map<string, AgentProcess[]>()
  for (const { agentId, kind, isIdle, startedAt, lastSeenAt, lastTakenAt, ...row } of rows) {
    const process: AgentProcess = {
      ...row,
      kind: kind === 'agent' ? 'remote' : 'in-house',
      isStalled: isIdle && waitedFor.has(agentId),
      startedAt: startedAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      lastTakenAt: lastTakenAt?.toISOString() ?? null,
    }
    found.set(agentId, [...(found.get(agentId) ?? []), process])
  }
  return found
}

/** Returns those of the agents whose runs have been queued for long. Once per agent, and only for idle processes. */
async function findWaitedFor(db: Queryable, agentIds: string[]): Promise<Set<string>> {
  if (agentIds.length === 0) return new Set()
  const rows = await db.execute<{ id: string }>(sql`
    select a.id from agents a where a.id = any(${uuids(agentIds)}) and exists (
      select 1 from runs r where r.state = 'queued' and r.agent_id = a.id and r.created_at < ${STALLED_BEFORE})`)
  return new Set(rows.map(({ id }) => id))
}
