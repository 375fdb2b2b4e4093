import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { type FairQueue, SLOW, slowAwareQueue } from '../../../fairness/fair-queue.ts'
import {
  type ClaimedRun,
  claimRuns,
  dropInactiveRuns,
  FIRST_ORGANIZATION,
  findQueuedRuns,
  type WorkerIdentity,
} from '../../../runs/probes/leases.ts'
import type { AgentIdentity } from '../requests/agent-key.ts'

/**
 * Claims at most `max` queued runs for a process of a remote agent. Organizations share its slots as they share those of
 * an in-house worker (worker/runs/picker.ts).
 */
export async function claimForAgent(
  db: Db,
  agent: AgentIdentity,
  worker: WorkerIdentity,
  { free, max }: { free: number; max: number },
): Promise<ClaimedRun[]> {
  const claimed: ClaimedRun[] = []
  const places = await placesOf(db, worker, free)
  for (let after: string | null = FIRST_ORGANIZATION; after !== null && claimed.length < max; ) {
    const { runs, last } = await findQueuedRuns(db, agent.agentId, after)
    // The queue of an agent holds only runs of its organization; a wrong row must not reach another organization's agent.
    const own = runs.filter(({ organizationId }) => organizationId === (agent.organizationId ?? organizationId))
    const chosen = new Map(places.choose(own, max - claimed.length).map(({ item, release }) => [item.id, release]))
    after = last
    if (chosen.size === 0) continue
    try {
      for (const run of await claimRuns(
        db,
        own.filter(({ id }) => chosen.has(id)),
        worker,
      )) {
        claimed.push(run)
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

/** Returns the places of a process: those that its running runs hold, of which there are few, and `free` more. */
async function placesOf(db: Db, worker: WorkerIdentity, free: number): Promise<FairQueue> {
  const rows = await db.execute<{ organization_id: string; is_slow: boolean }>(sql`
    select organization_id, is_slow from runs where state = 'running' and worker_id = ${worker.id}`)
  const places = slowAwareQueue(rows.length + free)
  for (const row of rows) places.take({ organizationId: row.organization_id, key: row.is_slow ? SLOW : null })
  return places
}
