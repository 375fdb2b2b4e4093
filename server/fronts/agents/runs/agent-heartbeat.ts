import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { returnLeasesOfKey } from '../../../identity/auth/agent-leases.ts'
import { renewLeases, requeueAttempts, type WorkerIdentity } from '../../../runs/probes/leases.ts'
import type { Attempt } from '../../../runs/record/current-attempts.ts'
import { lockAgent } from '../../../schedule/agent-runs.ts'
import {
  type HeartbeatAnswer,
  HeartbeatRequest,
  type HeldRun,
  ReleaseRequest,
} from '../../../schemas/agents/protocol.ts'
import { workerOf } from '../requests/agent-key.ts'
import type { Gateway, SignedCall } from '../requests/gateway-context.ts'
import { readMessage } from '../requests/read-body.ts'
import { takeOver } from './take-over.ts'

/** A thousand held runs, and sixty networks. */
const MAX_BYTES = 131_072
/** Processes per key. One key has one folder, which one process uses; the others are copies of it. */
const PROCESSES_MAX = 4

/** Stores that a process of the agent is alive and how busy it is, and renews the leases of the runs that it executes. */
export async function heartbeat(gateway: Gateway, call: SignedCall): Promise<HeartbeatAnswer> {
  const { runtime, settings } = gateway
  const given = await readMessage(call, HeartbeatRequest, { maxBytes: MAX_BYTES })
  const worker = workerOf(call.agent, given.instance, settings.leaseSeconds)
  const { now, isNew } = await storeHeartbeat(runtime.db, worker, call, given)
  if (given.former !== undefined) await takeOver(runtime.db, worker, given.former, given.held)
  if (isNew) await returnLeasesOfKey(runtime.db, call.agent.keyId, PROCESSES_MAX)
  const held = await renewLeases(runtime.db, worker, await ownAttempts(runtime.db, worker, given.held))
  return { held: given.held.filter(({ id }) => held.has(id)), now: now.toISOString(), settings }
}

/** Queues the runs again that a process of the agent will not finish, and forgets the process. */
export async function release(gateway: Gateway, call: SignedCall): Promise<Record<string, never>> {
  const { runtime, settings } = gateway
  const given = await readMessage(call, ReleaseRequest, { maxBytes: MAX_BYTES })
  const worker = workerOf(call.agent, given.instance, settings.leaseSeconds)
  await runtime.db.transaction(async (tx) => {
    await lockAgent(tx, worker.agentId)
    await requeueAttempts(tx, await ownAttempts(tx, worker, given.held))
    await tx.execute(sql`
      with gone as (delete from workers where id = ${worker.id} returning agent_id, heartbeat_at)
      update agents a set last_seen_at = greatest(a.last_seen_at, gone.heartbeat_at) from gone where a.id = gone.agent_id`)
  })
  return {}
}

/** Returns those of the runs that the process holds. */
async function ownAttempts(db: Pick<Db, 'execute'>, worker: WorkerIdentity, held: HeldRun[]): Promise<Attempt[]> {
  if (held.length === 0) return []
  // An agent does not know the organizations of its runs. Reads the running runs, of which there are few.
  const rows = await db.execute<HeldRun & { organization_id: string }>(sql`
    select organization_id, id, attempt from runs where state = 'running' and worker_id = ${worker.id}`)
  return rows
    .filter((row) => held.some(({ id, attempt }) => row.id === id && row.attempt === attempt))
    .map(({ organization_id: organizationId, id, attempt }) => ({ organizationId, id, attempt }))
}

/**
 * Inserts or updates the row of the process. Returns whether the row is new. The networks of the agent's newest process are
 * kept for the time in which none of its processes is alive. An agent whose networks may change is locked before its
 * process, as its removal does.
 */
async function storeHeartbeat(
  db: Db,
  worker: WorkerIdentity,
  { agent, address, version }: SignedCall,
  { slots, busy, cpu, latenessMs, sentAt, allowedNetworks }: HeartbeatRequest,
): Promise<{ now: Date; isNew: boolean }> {
  const networks = sql`array(select jsonb_array_elements_text(${JSON.stringify(allowedNetworks)}::jsonb))`
  const [row] = await db.execute<{ now: string; is_new: boolean }>(sql`
    with locked as materialized (
      select id from agents where id = ${worker.agentId} and allowed_networks is distinct from ${networks}
      for no key update),
    stored as (
      insert into workers (id, agent_id, pool_id, host, pid, kind, key_id, version, address, slots, busy, cpu, lateness_ms,
        clock_offset_ms, stale_seconds, allowed_networks)
      select ${worker.id}::uuid, ${worker.agentId}::uuid, ${worker.id}, ${agent.host}, 0, 'agent', ${agent.keyId}::uuid,
        ${version}, ${address}, ${slots}::int, ${busy}::int, ${cpu}::real, ${Math.round(latenessMs)}::int,
        ${offsetOf(sentAt)}, ${worker.leaseSeconds}::int, ${networks}
      where (select count(*) from locked) >= 0
      on conflict (id) do update set heartbeat_at = now(), version = excluded.version, address = excluded.address,
        slots = excluded.slots, busy = excluded.busy, cpu = excluded.cpu, lateness_ms = excluded.lateness_ms,
        clock_offset_ms = excluded.clock_offset_ms, stale_seconds = excluded.stale_seconds,
        allowed_networks = excluded.allowed_networks
      returning id, started_at, xmax = 0 as is_new),
    changed as (
      update agents set allowed_networks = ${networks} from stored
      where agents.id = ${worker.agentId} and allowed_networks is distinct from ${networks} and not exists (
        select 1 from workers w where w.agent_id = ${worker.agentId} and w.kind = 'agent' and w.id <> stored.id
          and w.started_at > stored.started_at))
    select now() as now, is_new from stored`)
  const { now, is_new: isNew } = row as NonNullable<typeof row>
  return { now: new Date(now), isNew }
}

/** How many milliseconds the agent's clock is ahead, the way of the request included. */
function offsetOf(sentAt: string) {
  return sql`least(greatest(round(extract(epoch from ${sentAt}::timestamptz - clock_timestamp()) * 1000),
    -2147483648), 2147483647)::int`
}
