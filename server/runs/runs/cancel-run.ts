import type { Tx } from '#db/client.ts'
import { and, asc, eq, inArray, or, sql } from '#db/drizzle.cjs'
import { matchesAny, matchesId } from '#db/row-match.ts'
import { runRequests } from '#db/schema/run-requests.ts'
import { runs } from '#db/schema/runs.ts'
import { addChange, announce } from '../../live/announce.ts'
import type { ServiceRef } from '../../results/statistics/rollups.ts'
import { topics } from '../../schemas/live/topics.ts'
import type { BareRun } from '../../schemas/runs.ts'
import type { RecheckRef } from '../record/rechecks/unchecked.ts'
import { countFirsts } from '../record/store-runs.ts'

const UNSTARTED = ['waiting', 'waiting_with_values', 'waiting_recheck', 'queued'] as const

/** Whether any part of the run is cancelled, and whether this call changed that. */
type Cancellation = { isCancelled: boolean; isChanged: boolean }

/** Cancels the parts of a run that have not started; agents that have started finish. */
export async function cancelRun(tx: Tx, service: ServiceRef, run: BareRun): Promise<Cancellation> {
  const unstarted = await lockUnstarted(tx, service.organizationId, run.id)
  if (unstarted.length === 0) {
    const [request] = await tx
      .select()
      .from(runRequests)
      .where(matchesId(runRequests.id, service.organizationId, run.id))
    return { isCancelled: request?.cancelledAt != null, isChanged: false }
  }
  await tx
    .update(runs)
    .set({ state: 'done', finishedAt: sql`now()` })
    .where(
      matchesAny(
        runs.id,
        service.organizationId,
        unstarted.map(({ id }) => id),
      ),
    )
  await tx
    .insert(runRequests)
    .values({
      id: run.id,
      organizationId: service.organizationId,
      serviceId: service.id,
      cause: run.cause as 'schedule',
      requestedAt: new Date(run.requestedAt),
      cancelledAt: sql`now()`,
    })
    .onConflictDoUpdate({ target: [runRequests.organizationId, runRequests.id], set: { cancelledAt: sql`now()` } })
  // A failure that nobody looks at again counts.
  const changes = await countFirsts(tx, unstarted)
  addChange(changes, service.organizationId, topics.run(service.id))
  await announce(tx, changes)
  return { isCancelled: true, isChanged: true }
}

/** Locks the rows of a run that no agent has started, and returns them. The writer of results waits for none of them. */
async function lockUnstarted(tx: Tx, organizationId: string, runId: string): Promise<(RecheckRef & { id: string })[]> {
  const lock = () =>
    tx
      .select({
        id: runs.id,
        organizationId: runs.organizationId,
        serviceId: runs.serviceId,
        recheckOf: runs.recheckOf,
      })
      .from(runs)
      .where(
        and(
          eq(runs.organizationId, organizationId),
          or(eq(runs.id, runId), eq(runs.runId, runId)),
          inArray(runs.state, UNSTARTED),
        ),
      )
      .orderBy(asc(runs.id))
      .for('update')
  await lock()
  // A worker that promotes the run inserts the rows of further agents while it holds the first one.
  return lock()
}
