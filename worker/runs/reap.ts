import { inArray, sql } from 'drizzle-orm'
import { uuids } from '#db/any-of.ts'
import type { Db, Tx } from '#db/client.ts'
import { workers } from '#db/schema/runs.ts'
import { type EligibleAgent, eligibleAgents } from '#server/schedule/placement.ts'
import { NO_AGENT } from '#server/schedule/run-requests.ts'
import type { Liveness } from '../liveness.ts'
import { brokenRun, type FinishedRun, type RunAttempt, skippedRun } from '../record/finished-run.ts'
import { type RecordOptions, storeRuns } from '../record/store-runs.ts'

/** Attempts that may die before the run is recorded as failed. */
export const ATTEMPTS_MAX = 3
/** How long a due run may stand in the queue before it counts as skipped. */
export const QUEUE_TIMEOUT_SECONDS = 300
const BATCH = 200

/** Unlocks the jobs of workers that have not been heard of, then forgets the workers. */
export async function reapWorkers(
  db: Db,
  staleSeconds: number,
  unlock: (poolIds: string[]) => Promise<void>,
  canTrustHeartbeats: Liveness['canTrustHeartbeats'],
): Promise<number> {
  const dead = await db
    .select({ id: workers.id, poolId: workers.poolId, formerPoolIds: workers.formerPoolIds, now: sql<string>`now()` })
    .from(workers)
    .where(sql`${workers.heartbeatAt} < now() - make_interval(secs => ${staleSeconds})`)
  if (dead.length === 0 || !canTrustHeartbeats(new Date(dead[0]?.now ?? 0))) return 0
  await unlock(dead.flatMap((worker) => [worker.poolId, ...worker.formerPoolIds]))
  await db.delete(workers).where(
    inArray(
      workers.id,
      dead.map((worker) => worker.id),
    ),
  )
  return dead.length
}

type ExpiredRun = {
  id: string
  attempt: number
  organization_id: string
  service_id: string
  agent_id: string
  agent_slug: string | null
  cause: 'schedule' | 'request' | 'confirmation'
  started_at: string
  now: string
}

type StuckRun = ExpiredRun & {
  is_late: boolean
  is_active: boolean
  probe_mode: 'consecutive' | 'simultaneous' | 'random'
}

/**
 * Runs whose holder let its lease run out are queued again; after the last attempt the run is recorded as a timeout, so
 * that none ends in silence. Answers how many runs it settled.
 */
export function reapLeases(
  db: Db,
  options: RecordOptions,
  canTrustHeartbeats: Liveness['canTrustHeartbeats'],
): Promise<number> {
  return db.transaction(async (tx) => {
    const expired = await tx.execute<ExpiredRun>(sql`
      select r.id, r.attempt, r.organization_id, r.service_id, r.agent_id, a.slug as agent_slug, r.cause, r.started_at,
        now() as now
      from runs r left join agents a on a.id = r.agent_id join services v on v.id = r.service_id
      where r.state = 'running' and r.lease_until < now() limit ${BATCH}
      for update of r skip locked for key share of v skip locked`)
    if (expired.length === 0 || !canTrustHeartbeats(new Date(expired[0]?.now ?? 0))) return 0
    const [ended, again] = [
      expired.filter((run) => run.attempt >= ATTEMPTS_MAX),
      expired.filter((run) => run.attempt < ATTEMPTS_MAX),
    ]
    await recordEnded(
      tx,
      ended,
      (run) => {
        const reason = `the agent died in each of ${run.attempt} attempts to run the probe`
        return brokenRun(toAttempt(run), new Date(run.started_at), new Date(run.now), 'timeout', reason)
      },
      options,
    )
    if (again.length > 0) {
      await tx.execute(sql`
        update runs set state = 'queued', worker_id = null, lease_until = null where id = any(${uuids(again.map((run) => run.id))})`)
    }
    return expired.length
  })
}

/**
 * Looks after runs that stand in the queue although they should not: whose agent has died go to a living one, and those
 * that nobody took in time are recorded as skipped. Those that came by schedule are given up when their service has been
 * switched off by now.
 */
export function reapQueue(
  db: Db,
  options: RecordOptions,
  canTrustHeartbeats: Liveness['canTrustHeartbeats'],
): Promise<number> {
  return db.transaction(async (tx) => {
    const stuck = await tx.execute<StuckRun>(sql`
      select r.id, r.attempt, r.organization_id, r.service_id, r.agent_id, a.slug as agent_slug, r.cause, r.started_at,
        v.probe_mode, v.is_active, r.created_at < now() - make_interval(secs => ${QUEUE_TIMEOUT_SECONDS}) as is_late, now() as now
      from runs r left join agents a on a.id = r.agent_id join services v on v.id = r.service_id
      where r.state = 'queued' and r.created_at < now() - interval '5 seconds' and (
        not exists (select 1 from workers w where w.agent_id = r.agent_id)
        or (r.cause = 'schedule' and r.created_at < now() - make_interval(secs => ${QUEUE_TIMEOUT_SECONDS})))
      order by r.created_at limit ${BATCH}
      for update of r skip locked for key share of v skip locked`)
    if (stuck.length === 0 || !canTrustHeartbeats(new Date(stuck[0]?.now ?? 0))) return 0
    const agents = await eligibleAgents(
      tx,
      stuck.map((run) => ({ id: run.service_id, organizationId: run.organization_id })),
    )
    const late: StuckRun[] = []
    const unwanted = stuck.filter((run) => !run.is_active && run.cause !== 'request')
    if (unwanted.length > 0)
      await tx.execute(sql`delete from runs where id = any(${uuids(unwanted.map((run) => run.id))})`)
    for (const run of stuck) {
      if (unwanted.includes(run)) continue
      const agent = successor(run, agents.get(run.service_id) ?? [])
      if (run.is_late && (run.cause === 'schedule' || !agent)) late.push(run)
      else if (agent) await reassign(tx, run, agent)
    }
    await recordEnded(tx, late, (run) => skippedRun(toAttempt(run), new Date(run.now)), options)
    return stuck.length
  })
}

/** Its own agent while that lives, else any other that does. Where all agents run at once, none stands in for another. */
function successor(run: StuckRun, agents: EligibleAgent[]): EligibleAgent | undefined {
  const live = agents.filter((agent) => agent.isLive)
  const own = live.find((agent) => agent.id === run.agent_id)
  if (own || (run.probe_mode === 'simultaneous' && run.agent_id !== NO_AGENT.id)) return own
  return live[Math.floor(Math.random() * live.length)]
}

async function reassign(tx: Tx, run: StuckRun, agent: EligibleAgent): Promise<void> {
  // The probe mode may have changed since: the agent must not be given the same time twice.
  await tx.execute(sql`
    update runs r set agent_id = ${agent.id} where r.id = ${run.id} and not exists (
      select 1 from runs q where q.service_id = r.service_id and q.slot = r.slot and q.cause = r.cause
        and q.agent_id = ${agent.id} and q.id <> r.id)`)
}

async function recordEnded<T extends ExpiredRun>(
  tx: Tx,
  runs: T[],
  end: (run: T) => FinishedRun,
  options: RecordOptions,
): Promise<void> {
  if (runs.length === 0) return
  await tx.execute(sql`
    update runs set state = 'done', finished_at = now(), lease_until = null where id = any(${uuids(runs.map((run) => run.id))})`)
  await storeRuns(tx, runs.map(end), options)
}

function toAttempt(run: ExpiredRun): RunAttempt {
  return {
    id: run.id,
    attempt: run.attempt,
    organizationId: run.organization_id,
    serviceId: run.service_id,
    agentId: run.agent_id,
    agentSlug: run.agent_slug ?? NO_AGENT.slug,
  }
}
