import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { uuids } from '#db/any-of.ts'
import type { Db, Tx } from '#db/client.ts'
import { type EligibleAgent, eligibleAgents, placeRun } from '#server/schedule/placement.ts'
import { queueOrder } from '#server/schedule/run-queue.ts'
import { isConfirming, NO_AGENT } from '#server/schedule/run-requests.ts'
import { servicesInMaintenance } from './dispatch.ts'

const BATCH = 500

type WaitingRun = {
  id: string
  service_id: string
  organization_id: string
  slot: string
  cause: 'schedule' | 'request'
  is_active: boolean
  probe_mode: 'consecutive' | 'simultaneous' | 'random'
  service_window: string | null
  timezone: string
  now: string
}

/**
 * Queues the waiting runs whose service has nothing in flight any more. Answers how many waiting runs it settled. Those
 * that came by schedule are given up when the service has been switched off or is under maintenance by now.
 */
export function promoteWaiting(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const waiting = await lockWaitingRuns(tx)
    if (waiting.length === 0) return 0
    const free = await withoutOpenRuns(tx, waiting)
    const scheduled = free.filter((one) => one.cause === 'schedule')
    const closed = await servicesInMaintenance(scheduled, new Date((waiting[0] as WaitingRun).now))
    const [given, kept] = split(free, (one) => {
      return one.cause === 'schedule' && (!one.is_active || closed.has(one.service_id))
    })
    if (given.length > 0) await tx.execute(sql`delete from runs where id = any(${uuids(given.map((one) => one.id))})`)
    if (kept.length > 0) await queueRuns(tx, kept)
    return free.length
  })
}

/** Waiting runs whose schedule's row is in our hands as well, where there is one: nobody else adds to the service. */
async function lockWaitingRuns(tx: Tx): Promise<WaitingRun[]> {
  const waiting = await tx.execute<WaitingRun>(sql`
    select r.id, r.service_id, r.organization_id, r.slot, r.cause, v.is_active, v.probe_mode, v.service_window,
      o.timezone, now() as now
    from runs r join services v on v.id = r.service_id join organizations o on o.id = r.organization_id
    where r.state = 'waiting' and not exists (
      select 1 from runs q where q.service_id = r.service_id and q.state in ('queued', 'running'))
    order by r.slot limit ${BATCH}
    for update of r skip locked for key share of v skip locked`)
  if (waiting.length === 0) return []
  const services = uuids(waiting.map((one) => one.service_id))
  const scheduled = await tx.execute<{ service_id: string }>(
    sql`select service_id from schedules where service_id = any(${services})`,
  )
  const held = await tx.execute<{ service_id: string }>(
    sql`select service_id from schedules where service_id = any(${services}) for update skip locked`,
  )
  const busy = new Set(scheduled.map((row) => row.service_id))
  for (const row of held) busy.delete(row.service_id)
  return waiting.filter((one) => !busy.has(one.service_id))
}

/** Asked again now that the schedules are locked: the answer can no longer change. */
async function withoutOpenRuns(tx: Tx, waiting: WaitingRun[]): Promise<WaitingRun[]> {
  const services = uuids(waiting.map((one) => one.service_id))
  const open = await tx.execute<{ service_id: string }>(sql`
    select distinct service_id from runs
    where service_id = any(${services}) and state in ('queued', 'running')`)
  const taken = new Set(open.map((row) => row.service_id))
  return waiting.filter((one) => !taken.has(one.service_id))
}

async function queueRuns(tx: Tx, waiting: WaitingRun[]): Promise<void> {
  const services = uuids(waiting.map((one) => one.service_id))
  const agents = await eligibleAgents(
    tx,
    waiting.map((one) => ({ id: one.service_id, organizationId: one.organization_id })),
  )
  const facts = await tx.execute<{
    service_id: string
    last_agent_id: string | null
    last_status: string | null
    is_alerting: boolean | null
  }>(sql`
    select v.id as service_id, s.last_agent_id, t.last_status, t.is_alerting
    from services v left join schedules s on s.service_id = v.id left join service_states t on t.service_id = v.id
    where v.id = any(${services})`)
  for (const one of waiting) {
    const fact = facts.find((row) => row.service_id === one.service_id)
    const eligible = agents.get(one.service_id) ?? []
    const live = eligible.filter((agent) => agent.isLive)
    const chosen: Pick<EligibleAgent, 'id' | 'slug'>[] = placeRun(live.length > 0 ? live : eligible, {
      probeMode: one.probe_mode,
      lastAgentId: fact?.last_agent_id ?? null,
      isConfirming: isConfirming({ lastStatus: fact?.last_status ?? null, isAlerting: fact?.is_alerting ?? false }),
    })
    const { rankAt, isSlow } = queueOrder(one.service_id, one.cause)
    const [first = NO_AGENT, ...others] = chosen
    await tx.execute(sql`
      update runs set state = 'queued', agent_id = ${first.id}, created_at = now(), rank_at = ${rankAt},
        is_slow = ${isSlow}
      where id = ${one.id}`)
    for (const agent of others) {
      await tx.execute(sql`
        insert into runs (id, organization_id, service_id, agent_id, slot, cause, rank_at, is_slow)
        values (${uuidv7()}, ${one.organization_id}, ${one.service_id}, ${agent.id}, ${one.slot}, ${one.cause},
          ${rankAt}, ${isSlow})`)
    }
    const last = chosen.at(-1)
    if (last)
      await tx.execute(sql`update schedules set last_agent_id = ${last.id} where service_id = ${one.service_id}`)
  }
}

function split<T>(items: T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}
