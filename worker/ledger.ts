import { type SQL, sql } from 'drizzle-orm'
import type { Db, Queryable } from '#db/client.ts'
import { enqueueProbes } from '#server/jobs.ts'

// The ledger of runs. Whoever holds a run's lease executes it; each taking raises the attempt, and only the attempt that
// still stands in the ledger may store a result. All times are the database's.

/** A worker process as the ledger knows it. */
export type WorkerIdentity = { id: string; agentId: string; agentSlug: string; leaseSeconds: number }

export type ClaimedRun = {
  id: string
  attempt: number
  organizationId: string
  serviceId: string
  cause: 'schedule' | 'request' | 'confirmation'
}

/** A run that may be taken: queued, or left behind by a holder whose lease has run out. */
const FREE = sql`(r.state = 'queued' or (r.state = 'running' and r.lease_until < now()))`

/**
 * Takes a free run; null when it is another's, done or gone, and when it came by schedule and its service has been
 * switched off since.
 */
export async function claimRun(db: Queryable, runId: string, worker: WorkerIdentity): Promise<ClaimedRun | null> {
  const [row] = await db.execute<{
    id: string
    attempt: number
    organization_id: string
    service_id: string
    cause: ClaimedRun['cause']
  }>(sql`
    update runs r set state = 'running', attempt = r.attempt + 1, worker_id = ${worker.id},
      lease_until = ${lease(worker)}, started_at = now()
    from services v
    where r.id = ${runId} and r.agent_id = ${worker.agentId} and v.id = r.service_id
      and (v.is_active or r.cause = 'request') and ${FREE}
    returning r.id, r.attempt, r.organization_id, r.service_id, r.cause`)
  if (!row) return null
  const { id, attempt, organization_id: organizationId, service_id: serviceId, cause } = row
  return { id, attempt, organizationId, serviceId, cause }
}

/** Gives up a free run that came by schedule and whose service is off by now. Answers whether it was one. */
export async function giveUpRun(db: Queryable, runId: string): Promise<boolean> {
  const given = await db.execute(sql`
    delete from runs r using services v
    where r.id = ${runId} and v.id = r.service_id and not v.is_active and r.cause <> 'request' and ${FREE}
    returning r.id`)
  return given.length > 0
}

/** Extends the leases of what the worker runs; answers the runs it still holds. */
export async function renewLeases(
  db: Queryable,
  worker: WorkerIdentity,
  held: { id: string; attempt: number }[],
): Promise<Set<string>> {
  if (held.length === 0) return new Set()
  const rows = await db.execute<{ id: string }>(sql`
    with held as (${lockHeld(held, sql`r.worker_id = ${worker.id}`)})
    update runs r set lease_until = ${lease(worker)} from held where r.id = held.id returning r.id`)
  return new Set(rows.map((row) => row.id))
}

/** Puts a run back, for whoever comes next. A run that is another's by now is left alone. */
export async function releaseRun(db: Db, worker: WorkerIdentity, run: { id: string; attempt: number }): Promise<void> {
  await db.transaction(async (tx) => {
    const released = await tx.execute(sql`
      update runs set state = 'queued', worker_id = null, lease_until = null
      where id = ${run.id} and attempt = ${run.attempt} and state = 'running' returning id`)
    if (released.length > 0) await enqueueProbes(tx, [{ runId: run.id, agentSlug: worker.agentSlug }])
  })
}

/**
 * Locks those of the runs whose attempt still stands, in the order of their ids: whoever takes several at once takes
 * them so, and none waits for another in a circle.
 */
export function lockHeld(held: { id: string; attempt: number }[], and: SQL = sql`true`): SQL {
  return sql`
    select r.id from runs r
    join jsonb_to_recordset(${JSON.stringify(held.map(({ id, attempt }) => ({ id, attempt })))}::jsonb)
      as i(id uuid, attempt int) on i.id = r.id and i.attempt = r.attempt
    where r.state = 'running' and ${and} order by r.id for update of r`
}

function lease(worker: WorkerIdentity): SQL {
  return sql`now() + make_interval(secs => ${worker.leaseSeconds})`
}
