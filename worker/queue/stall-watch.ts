import { sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { log } from '#server/process/log.ts'
import type { LastTaken } from './in-flight.ts'

/** How long a job may be free to take before somebody should have taken it. */
const OVERDUE_SECONDS = 3
/** How long a worker that could may take nothing meanwhile; twice as long after each new beginning that did not help. */
const QUIET_MS = 5_000
/** Beside the longest of what it has in hand, what a busy worker may take to end it. */
const BUSY_MARGIN_MS = 60_000
const RESTARTS_MAX = 3

export type StallWatchOptions = {
  /** What it takes, for the log. */
  what: 'jobs' | 'runs'
  /** Whether some wait that nobody took in time. */
  isOverdue: () => Promise<boolean>
  lastTaken: () => LastTaken | null
  /** Whether it has some in hand: then fairness and the load of the machine say who may have more. */
  isBusy: () => boolean
  /** How long the longest of them lasts. */
  longestMs: number
  /** Begins the taking anew. */
  restart: () => void
  /** Ends the process when that does not help. */
  exit?: () => void
  now?: () => number
}

/**
 * Looks, turn by turn, whether work waits that this process could take and does not. The taking is then begun anew,
 * whatever it believes of itself; when that does not help, again and again, the process ends. Turns that fail because
 * the database is away count for nothing.
 */
export function createStallWatch(watched: StallWatchOptions): () => Promise<void> {
  const { what, isOverdue, lastTaken, isBusy, longestMs, restart, now = () => performance.now() } = watched
  const giveUp = watched.exit ?? (() => endProcess(what))
  let lastTickAt = 0
  let quietSince: number | null = null
  let restarts = 0

  return async () => {
    const overdue = await isOverdue()
    const at = now()
    const wasAway = at - lastTickAt > QUIET_MS
    lastTickAt = at
    const takenAt = lastTaken()?.at ?? Number.NEGATIVE_INFINITY
    if (!overdue || (quietSince !== null && takenAt >= quietSince)) {
      restarts = 0
      quietSince = null
    }
    if (!overdue) return
    if (quietSince === null || wasAway) quietSince = at
    const quietMs = at - quietSince
    // What is in hand has outlived its time, and no new beginning ends it.
    if (isBusy()) return quietMs < longestMs + BUSY_MARGIN_MS ? undefined : giveUp()
    if (quietMs < QUIET_MS * 2 ** restarts) return
    if (restarts === RESTARTS_MAX) return giveUp()
    restarts++
    quietSince = at
    log.warn({ restarts }, `${what} wait, and the worker takes none`)
    restart()
  }
}

/** Whoever started it starts it again. */
function endProcess(what: StallWatchOptions['what']): void {
  log.fatal(`${what} wait, and the worker takes none, however often that is begun anew: it ends`)
  process.exit(1)
}

/** Whether one of these tasks has a job that has been free to take for a while. */
export async function areJobsOverdue(db: Queryable, tasks: string[]): Promise<boolean> {
  const [row] = await db.execute<{ waits: boolean }>(sql`
    select exists (
      select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where j.is_available and j.run_at < now() - make_interval(secs => ${OVERDUE_SECONDS})
        and t.identifier in (select jsonb_array_elements_text(${JSON.stringify(tasks)}::jsonb))) as waits`)
  return row?.waits ?? false
}

/** Whether a run has been queued for the agent for a while. */
export async function areRunsOverdue(db: Queryable, agentId: string): Promise<boolean> {
  const [row] = await db.execute<{ waits: boolean }>(sql`
    select exists (
      select 1 from runs r where r.state = 'queued' and r.agent_id = ${agentId}
        and r.created_at < now() - make_interval(secs => ${OVERDUE_SECONDS})) as waits`)
  return row?.waits ?? false
}
