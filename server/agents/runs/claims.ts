import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { chooseFairly } from '../../fairness/fair-permits.ts'
import {
  type ClaimedRun,
  claimRuns,
  dropInactiveRuns,
  FIRST_ORGANIZATION,
  findQueuedRuns,
  type WorkerIdentity,
} from '../../probes/leases.ts'
import type { FairShares, RunningWork } from '../queue/shares.ts'
import type { AgentIdentity } from '../requests/agent-key.ts'

/**
 * Claims at most `max` queued runs for a process of a remote agent. Organizations share its slots as they share those of
 * an in-house worker (worker/runs/picker.ts).
 */
export async function claimForAgent(
  db: Db,
  agent: AgentIdentity,
  worker: WorkerIdentity,
  shares: FairShares,
  { free, max }: { free: number; max: number },
): Promise<ClaimedRun[]> {
  const claimed: ClaimedRun[] = []
  const share = shares.of(worker.id, await findRunning(db, worker), free)
  for (let after: string | null = FIRST_ORGANIZATION; after !== null && claimed.length < max; ) {
    const { runs, last } = await findQueuedRuns(db, agent.agentId, after)
    // The queue of an agent holds only runs of its organization; a wrong row must not reach another organization's agent.
    const own = runs.filter(({ organizationId }) => organizationId === (agent.organizationId ?? organizationId))
    const chosen = new Map(
      chooseFairly(own, share.permits, max - claimed.length).map(({ item, release }) => [item.id, release]),
    )
    after = last
    if (chosen.size === 0) continue
    try {
      for (const run of await claimRuns(
        db,
        own.filter(({ id }) => chosen.has(id)),
        worker,
      )) {
        claimed.push(run)
        share.held.set(keyOf(run), chosen.get(run.id) as () => void)
        chosen.delete(run.id)
      }
      // Another process claimed these, or their service was switched off.
      if (chosen.size > 0) {
        await dropInactiveRuns(
          db,
          own.filter(({ id }) => chosen.has(id)),
        )
      }
    } finally {
      for (const release of chosen.values()) release()
    }
  }
  return claimed
}

/** Returns the runs that a process executes. Reads the running runs, of which there are few. */
async function findRunning(db: Db, worker: WorkerIdentity): Promise<RunningWork[]> {
  const rows = await db.execute<{ id: string; attempt: number; organization_id: string; is_slow: boolean }>(sql`
    select id, attempt, organization_id, is_slow from runs where state = 'running' and worker_id = ${worker.id}`)
  return rows.map(({ organization_id: organizationId, is_slow: isSlow, ...run }) => ({
    key: keyOf(run),
    organizationId,
    isSlow,
  }))
}

function keyOf({ id, attempt }: { id: string; attempt: number }): string {
  return `${id} ${attempt}`
}
