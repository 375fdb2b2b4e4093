import { uuids } from '#db/any-of.ts'
import type { Db, Tx } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { announce } from '#server/live/announce.ts'
import { observeRuns } from '#server/observe/metrics/runs.ts'
import { DEATHS_MAX } from '#server/runs/probes/leases.ts'
import { parseScript } from '#server/runs/probes/script-cache.ts'
import { mayWrite } from '#server/runs/probes/script-facts.ts'
import { brokenRun, type FinishedRun, type RunAttempt, skippedRun } from '#server/runs/record/finished-run.ts'
import { type RecordOptions, type StoredRuns, storeRuns } from '#server/runs/record/store-runs.ts'
import { absenceText, NOT_TAKEN, notNamedText } from '#server/runs/runs/skip-reasons.ts'
import { NO_AGENT, type PlaceableAgent, placeableAgents, placeStuckRun } from '#server/schedule/placement.ts'
import { QUEUE_TIMEOUT_SECONDS } from '#server/schedule/run-queue.ts'
import { workerDeathText } from '#server/schemas/results/agent-faults.ts'
import { deleteWorkers } from '../heartbeat.ts'
import type { Liveness } from '../liveness.ts'
import { deleteRuns } from './delete-runs.ts'
import {
  findDeadWorkers,
  finishRuns,
  type LockedRun,
  lockExpiredRuns,
  lockStuckRuns,
  readExpiredScripts,
  reassignRun,
  requeueRuns,
  type StuckRun,
} from './reap-statements.ts'

/** How long a run on all agents waits for one that is silent, as during a restart, while another agent is alive. */
const ABSENT_SECONDS = 20
/** Runs handled in one transaction. */
const BATCH = 200

const NOTHING = { handled: 0, ended: [] }

/** Unlocks the jobs of dead workers, then deletes the workers. Returns how many there were. */
export async function reapWorkers(
  db: Db,
  staleSeconds: number,
  unlock: (poolIds: string[]) => Promise<void>,
  canTrustHeartbeats: Liveness['canTrustHeartbeats'],
): Promise<number> {
  const dead = await findDeadWorkers(db, staleSeconds)
  if (dead.length === 0 || !canTrustHeartbeats(new Date(dead[0]?.now ?? 0))) return 0
  await unlock(dead.flatMap((worker) => [worker.poolId, ...worker.formerPoolIds]))
  const ids = dead.map((worker) => worker.id)
  await deleteWorkers(db, sql`w.id = any(${uuids(ids)})`)
  return dead.length
}

/**
 * Queues running runs again when their lease has expired. After the last attempt a run is recorded as a timeout, so
 * that every run ends with a result. Returns the number of runs that it handled.
 */
export async function reapLeases(
  db: Db,
  options: RecordOptions,
  canTrustHeartbeats: Liveness['canTrustHeartbeats'],
): Promise<number> {
  // Scripts are parsed before the transaction, which holds locks.
  const scripts = await readExpiredScripts(db, BATCH)
  const writes = new Map(
    scripts.map(({ service_id: id, version, script }) => [
      `${id} ${version}`,
      mayWrite(parseScript(id, version, script)),
    ]),
  )
  const { handled, ended } = await db.transaction(async (tx) => {
    const expired = await lockExpiredRuns(tx, BATCH)
    if (expired.length === 0 || !canTrustHeartbeats(new Date(expired[0]?.now ?? 0))) return NOTHING
    const isLast = (run: LockedRun) => run.deaths + 1 >= DEATHS_MAX
    const ended = await storeEnded(
      tx,
      expired.filter(isLast),
      (run) => {
        const broken = brokenRun(
          toAttempt(run),
          new Date(run.started_at),
          new Date(run.now),
          'timeout',
          workerDeathText(run.deaths + 1),
        )
        // Every run that is not skipped has a version: they are counted by the time in which a version ran.
        const isWriting = writes.get(`${run.service_id} ${run.version}`)
        return {
          ...broken,
          ...(isWriting !== undefined && { writes: isWriting }),
          result: { ...broken.result, scriptVersion: run.version },
        }
      },
      options,
    )
    await requeueRuns(
      tx,
      expired.filter((run) => !isLast(run)),
    )
    return { handled: expired.length, ended }
  })
  observeRuns(ended, options.metricsPerService)
  return handled
}

/**
 * Handles queued runs that no worker takes. Runs of a dead agent, or of one that they may not run on any more, are moved
 * to a live one. Parts of a run on all agents are recorded as skipped instead. So are runs that stay queued too long,
 * requested ones only when no agent is left. Scheduled runs are deleted when their service was switched off. Returns the
 * number of runs that it handled.
 */
export async function reapQueue(
  db: Db,
  options: RecordOptions,
  canTrustHeartbeats: Liveness['canTrustHeartbeats'],
): Promise<number> {
  const { handled, ended } = await db.transaction(async (tx) => {
    const stuck = await lockStuckRuns(tx, QUEUE_TIMEOUT_SECONDS, BATCH)
    if (stuck.length === 0 || !canTrustHeartbeats(new Date(stuck[0]?.now ?? 0))) return NOTHING
    const unwanted = new Set(stuck.filter((run) => !run.is_active && run.cause !== 'request'))
    await deleteRuns(tx, [...unwanted])
    const agents = await placeableAgents(
      tx,
      stuck.map((run) => ({ organizationId: run.organization_id, id: run.service_id })),
    )
    const skipped = new Map<LockedRun, string>()
    for (const run of stuck) {
      if (unwanted.has(run)) continue
      const eligible = agents.get(run.service_id) ?? []
      const agent = placeStuckRun(eligible, { agentId: run.agent_id, probeMode: run.probe_mode })
      const isOver = run.is_late && (run.cause !== 'request' || !agent)
      if (isOver || (!agent && isGivenUp(run, eligible))) skipped.set(run, agent ? NOT_TAKEN : reasonOf(run, eligible))
      else if (agent) await reassignRun(tx, run, agent)
    }
    const toSkipped = (run: LockedRun) => skippedRun(toAttempt(run), new Date(run.now), skipped.get(run) ?? NOT_TAKEN)
    return { handled: stuck.length, ended: await storeEnded(tx, [...skipped.keys()], toSkipped, options) }
  })
  observeRuns(ended, options.metricsPerService)
  return handled
}

/**
 * Whether a part of a run on all agents ends before the queue's timeout. One that its agent has started does not, unless
 * the agent may not run it any more: the agent may bring its result when it is connected again.
 */
function isGivenUp(run: StuckRun, eligible: PlaceableAgent[]): boolean {
  if (run.probe_mode !== 'simultaneous' || run.agent_id === NO_AGENT.id) return false
  if (isNotNamed(run, eligible)) return true
  const isAbsent = run.attempt === 0 && run.absent_seconds >= ABSENT_SECONDS
  return run.is_switched_off || (isAbsent && eligible.some(({ isAlive }) => isAlive))
}

/** Whether the run is queued for an agent of the organization that its service does not name any more. */
function isNotNamed({ is_own_agent, agent_id }: StuckRun, eligible: PlaceableAgent[]): boolean {
  return is_own_agent && !eligible.some(({ id }) => id === agent_id)
}

function reasonOf(run: StuckRun, eligible: PlaceableAgent[]): string {
  const { agent_id: id, agent_slug: slug, is_switched_off: isSwitchedOff } = run
  return slug !== null && isNotNamed(run, eligible) ? notNamedText(slug) : absenceText({ id, slug, isSwitchedOff })
}

async function storeEnded(
  tx: Tx,
  runs: LockedRun[],
  toFinished: (run: LockedRun) => FinishedRun,
  options: RecordOptions,
): Promise<StoredRuns['runs']> {
  if (runs.length === 0) return []
  await finishRuns(tx, runs)
  const stored = await storeRuns(tx, runs.map(toFinished), options)
  await announce(tx, stored.changes)
  return stored.runs
}

function toAttempt(run: LockedRun): RunAttempt {
  return {
    id: run.id,
    run: { id: run.run_id, cause: run.cause, hasValues: run.has_values },
    attempt: run.attempt,
    organizationId: run.organization_id,
    serviceId: run.service_id,
    agentId: run.agent_id,
    agentSlug: run.agent_slug ?? NO_AGENT.slug,
    isOwnAgent: run.is_own_agent,
  }
}
