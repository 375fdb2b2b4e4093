import { uuids } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { type RowKey, rowKeys } from '#db/row-match.ts'
import { isAgentAlive } from './agent-liveness.ts'
import { type Capacity, readCapacities } from './capacity.ts'
import { isOpen, isUsable } from './usable-agents.ts'

// The choice among the agents of a service: for scheduled, requested, promoted and stuck runs.

export type ProbeMode = 'consecutive' | 'simultaneous' | 'random'

type AgentRef = { readonly id: string; readonly slug: string; readonly isShared: boolean }

export type EligibleAgent = AgentRef & {
  isAlive: boolean
  /** A process of it sends heartbeats, or fell silent and no worker has found it dead yet, as right after an outage. */
  isKnown: boolean
  /** Whether the service names the agent. A service without named agents may run on any open one. */
  isNamed: boolean
}

/** `capacity` is one object for all services of a read: each run that is placed takes a slot for the others too. */
export type PlaceableAgent = EligibleAgent & {
  capacity: Capacity
  /** The service names it, and it is switched off: it gets no run, and its part of a `simultaneous` one is skipped. */
  isSwitchedOff: boolean
}

export type PlacementFacts = {
  probeMode: ProbeMode
  /** The agent of the service's last run. */
  lastAgentId: string | null
  /** A failure waits for confirmation: in random mode another agent than the last one checks it, if there is one. */
  isConfirming: boolean
}

/** The agent of a run while no agent is eligible: the run waits for one, or is recorded as skipped. */
export const NO_AGENT = { id: '00000000-0000-0000-0000-000000000000', slug: 'none', isShared: true } as const

/** Whether a service's last run failed and the failure is not announced yet. */
export function isConfirming(state: { lastStatus: string | null; isAlerting: boolean }): boolean {
  return (state.lastStatus === 'failure' || state.lastStatus === 'timeout') && !state.isAlerting
}

/**
 * Returns the agents that each service may run on, in the order of their ids: those that it names, or every open agent
 * that its organization can use. Services that name none share one array per organization. 2 ms for 2,000 services.
 */
export async function eligibleAgents(
  tx: Queryable,
  services: readonly RowKey<string>[],
): Promise<Map<string, readonly EligibleAgent[]>> {
  return (await readAgents(tx, services)).eligible
}

async function readAgents(
  tx: Queryable,
  services: readonly RowKey<string>[],
): Promise<{ eligible: Map<string, readonly EligibleAgent[]>; named: NamedAgents }> {
  const [usable, named] = await Promise.all([
    usableAgents(tx, new Set(services.map(({ organizationId }) => organizationId))),
    namedAgents(tx, services),
  ])
  const eligible = new Map(
    services.map(({ organizationId, id }): [string, readonly EligibleAgent[]] => {
      const { all, open } = usable.get(organizationId) ?? NONE
      const names = named.get(id)
      if (!names) return [id, open]
      return [id, all.filter((agent) => names.has(agent.id)).map((agent) => ({ ...agent, isNamed: true }))]
    }),
  )
  return { eligible, named }
}

/** The agents that an organization can use, and the open ones of them. */
type Usable = { all: EligibleAgent[]; open: EligibleAgent[] }
const NONE: Usable = { all: [], open: [] }

async function usableAgents(tx: Queryable, organizationIds: ReadonlySet<string>): Promise<Map<string, Usable>> {
  const rows = await tx.execute<UsableRow>(sql`
    select o.id as organization_id, a.id, a.slug, a.organization_id is null as is_shared, ${isOpen(sql`a`)} as is_open,
      ${isAgentAlive(sql`a.id`)} as is_alive, exists (select 1 from workers w where w.agent_id = a.id) as is_known
    from unnest(${uuids([...organizationIds])}) o (id) join agents a on ${isUsable(sql`a`, sql`o.id`)}
    order by a.id`)
  const found = new Map([...organizationIds].map((id): [string, Usable] => [id, { all: [], open: [] }]))
  for (const row of rows) {
    const { id, slug, is_shared: isShared, is_alive: isAlive, is_known: isKnown } = row
    const agent = { id, slug, isShared, isAlive, isKnown, isNamed: false }
    found.get(row.organization_id)?.all.push(agent)
    if (row.is_open) found.get(row.organization_id)?.open.push(agent)
  }
  return found
}

type UsableRow = {
  organization_id: string
  id: string
  slug: string
  is_shared: boolean
  is_open: boolean
  is_alive: boolean
  is_known: boolean
}

/** The agents that services name, by service: for those that name any. */
type NamedAgents = ReadonlyMap<string, ReadonlySet<string>>

/** Returns the agents that services name, for those that name any. They may be unusable. */
async function namedAgents(tx: Queryable, services: readonly RowKey<string>[]): Promise<NamedAgents> {
  const rows = await tx.execute<{ service_id: string; agent_id: string }>(sql`
    select service_id, agent_id from service_agents
    where (organization_id, service_id) in (select * from ${rowKeys(services)})`)
  const found = new Map<string, Set<string>>()
  for (const { service_id, agent_id } of rows) found.set(service_id, (found.get(service_id) ?? new Set()).add(agent_id))
  return found
}

/** Returns the agents that services name and may not use now. They are rare, so a statement of its own reads them. */
async function switchedOffAgents(
  tx: Queryable,
  services: readonly RowKey<string>[],
  { eligible, named }: Awaited<ReturnType<typeof readAgents>>,
): Promise<Map<string, AgentRef[]>> {
  const missing = new Map<string, string[]>()
  for (const { id } of services) {
    const usable = new Set(eligible.get(id)?.map((agent) => agent.id))
    const ids = [...(named.get(id) ?? [])].filter((agentId) => !usable.has(agentId))
    if (ids.length > 0) missing.set(id, ids)
  }
  if (missing.size === 0) return new Map()
  const rows = await tx.execute<AgentRef & { organization_id: string | null }>(sql`
    select id, slug, organization_id, organization_id is null as "isShared"
    from agents where id = any(${uuids([...new Set([...missing.values()].flat())])})`)
  return new Map(
    services.map(({ organizationId, id }) => {
      const ids = missing.get(id) ?? []
      const own = rows.filter((row) => row.organization_id === null || row.organization_id === organizationId)
      return [id, own.filter((row) => ids.includes(row.id))]
    }),
  )
}

/**
 * Returns the agents that each service may run on, with what they can still carry, and those that it names and that are
 * switched off.
 */
export async function placeableAgents(
  tx: Queryable,
  services: readonly RowKey<string>[],
): Promise<Map<string, PlaceableAgent[]>> {
  const [capacities, read] = await Promise.all([readCapacities(tx), readAgents(tx, services)])
  const off = await switchedOffAgents(tx, services, read)
  const placeable = new Map<readonly EligibleAgent[], PlaceableAgent[]>()
  for (const agents of new Set(read.eligible.values())) {
    placeable.set(
      agents,
      agents.map((agent) => ({
        ...agent,
        capacity: capacities.get(agent.id) ?? { free: 0 },
        isSwitchedOff: false,
      })),
    )
  }
  return new Map(
    [...read.eligible].map(([id, agents]) => {
      const switchedOff = off.get(id)?.map((agent) => ({ ...agent, ...SWITCHED_OFF, capacity: { free: 0 } })) ?? []
      const usable = placeable.get(agents) ?? []
      return [id, switchedOff.length === 0 ? usable : [...usable, ...switchedOff]]
    }),
  )
}

const SWITCHED_OFF = { isAlive: false, isKnown: false, isNamed: true, isSwitchedOff: true }

/**
 * Places a scheduled run: `chosen` are the live agents that it goes to, `missed` are the agents for which it is
 * recorded as skipped. With `simultaneous` these are the named agents that are dead or switched off; in the other modes
 * one agent, and only when all are dead. Takes a slot of each chosen agent.
 */
export function placeScheduledRun(
  agents: PlaceableAgent[],
  facts: PlacementFacts,
): { chosen: PlaceableAgent[]; missed: MissedAgent[] } {
  const alive = agents.filter((agent) => agent.isAlive)
  const absent = agents.filter((agent) => !agent.isAlive)
  // Either all agents of a service are named or none.
  if (facts.probeMode === 'simultaneous' && agents[0]?.isNamed) return { chosen: takeSlots(alive), missed: absent }
  if (alive.length > 0) return { chosen: takeSlots(choose(alive, facts)), missed: [] }
  const dead = absent.filter((agent) => !agent.isSwitchedOff)
  const [one] = choose(dead, { ...facts, probeMode: 'consecutive' })
  return { chosen: [], missed: [one ?? { ...NO_AGENT, isSwitchedOff: false }] }
}

export type MissedAgent = AgentRef & Pick<PlaceableAgent, 'isSwitchedOff'>

/**
 * Places a run that must not be dropped (requested, or promoted from waiting): on live agents, else on dead ones, whose
 * queue it waits in, else on `NO_AGENT`. With `simultaneous`, each agent that is named or not yet found dead has a
 * part. The next rotation continues after `lastAgentId`. Takes a slot of each chosen agent.
 */
export function placeRequiredRun(
  agents: PlaceableAgent[],
  facts: PlacementFacts,
): { chosen: readonly [AgentRef, ...AgentRef[]]; lastAgentId: string | null } {
  const isForAll = facts.probeMode === 'simultaneous'
  const wanted = agents.filter(({ isAlive, isKnown, isNamed }) => isAlive || (isForAll && (isNamed || isKnown)))
  const usable = agents.filter((agent) => !agent.isSwitchedOff)
  const chosen = takeSlots(choose(wanted.length > 0 ? wanted : usable, facts))
  const [first = NO_AGENT, ...others] = chosen
  return { chosen: [first, ...others], lastAgentId: chosen.at(-1)?.id ?? facts.lastAgentId }
}

/**
 * Places the recheck of a failed run: on another live agent than the one that saw the failure, on one whose own last run
 * passed if there is one; otherwise on the same agent, or as a run that must not be dropped. An agent whose own last part
 * was skipped comes after the same agent: its networks may refuse the target. The rotation does not change.
 */
export function placeRecheck(
  agents: PlaceableAgent[],
  {
    firstAgentId,
    failing,
    skipping,
  }: { firstAgentId: string; failing: ReadonlySet<string>; skipping: ReadonlySet<string> },
): readonly [AgentRef, ...AgentRef[]] {
  const others = agents.filter(({ id, isAlive }) => isAlive && id !== firstAgentId)
  const able = others.filter(({ id }) => !skipping.has(id))
  const passing = able.filter(({ id }) => !failing.has(id))
  const own = agents.filter(({ id, isSwitchedOff }) => id === firstAgentId && !isSwitchedOff)
  const alive = own.filter(({ isAlive }) => isAlive)
  const [among = agents] = [passing, able, alive, others, own].filter((some) => some.length > 0)
  return placeRequiredRun(among, { probeMode: 'consecutive', lastAgentId: firstAgentId, isConfirming: false }).chosen
}

/**
 * Places a queued run that its agent does not take: the same agent while it is alive, else any live one. With
 * `simultaneous` each agent has its own run, so no other agent takes it over. Returns undefined when no agent can. Takes a
 * slot of an agent that takes a run over.
 */
export function placeStuckRun(
  agents: PlaceableAgent[],
  { agentId, probeMode }: { agentId: string; probeMode: ProbeMode },
): PlaceableAgent | undefined {
  const alive = agents.filter((agent) => agent.isAlive)
  const own = alive.find((agent) => agent.id === agentId)
  if (own || (probeMode === 'simultaneous' && agentId !== NO_AGENT.id)) return own
  return alive.length > 0 ? takeSlots([pickRandom(withRoom(alive))])[0] : undefined
}

/**
 * Chooses one agent, or all of them with `simultaneous`. The others prefer agents with room. `consecutive` rotates in the
 * order of the agents' ids. To confirm a failure, another agent counts more than room.
 */
function choose(
  agents: PlaceableAgent[],
  { probeMode, lastAgentId, isConfirming: confirms }: PlacementFacts,
): PlaceableAgent[] {
  if (probeMode === 'simultaneous' || agents.length <= 1) return agents
  if (probeMode === 'consecutive') {
    const roomy = withRoom(agents)
    return [roomy.find((agent) => lastAgentId !== null && agent.id > lastAgentId) ?? (roomy[0] as PlaceableAgent)]
  }
  return [pickRandom(withRoom(confirms ? agents.filter((agent) => agent.id !== lastAgentId) : agents))]
}

/** Returns the agents that have room, or all of them when none has. */
function withRoom(agents: PlaceableAgent[]): PlaceableAgent[] {
  const roomy = agents.filter(({ capacity }) => capacity.free === null || capacity.free > 0)
  return roomy.length > 0 ? roomy : agents
}

function takeSlots(chosen: PlaceableAgent[]): PlaceableAgent[] {
  for (const { capacity } of chosen) if (capacity.free !== null) capacity.free = Math.max(0, capacity.free - 1)
  return chosen
}

function pickRandom(agents: PlaceableAgent[]): PlaceableAgent {
  return agents[Math.floor(Math.random() * agents.length)] as PlaceableAgent
}
