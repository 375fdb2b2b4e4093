import { sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { log } from '#server/process/log.ts'
import type { LastTaken } from './in-flight.ts'

/** A queued run, or a job that no worker has locked, is overdue after this time. */
const OVERDUE_SECONDS = 3
/** How long an idle worker may take nothing while work is overdue; doubled after each restart that did not help. */
const QUIET_MS = 5_000
/** How much longer than the longest job or run a busy worker may take nothing. */
const BUSY_MARGIN_MS = 60_000
const RESTARTS_MAX = 3

export type StallWatchOptions = {
  /** The watched work, for the log. */
  what: 'jobs' | 'messages' | 'runs'
  /** Whether work has waited longer than `OVERDUE_SECONDS`. */
  isOverdue: () => Promise<boolean>
  lastTaken: () => LastTaken | null
  /** Whether work is in flight: then fairness and load decide how much more may start. */
  isBusy: () => boolean
  /** The longest time that a job or run may take. */
  longestMs: number
  /** Restarts the queue or the picker. */
  restart: () => void
  /** How many restarts may help a busy worker before the process ends. */
  busyRestartsMax: number
  /** Ends the process when restarts do not help. */
  exit?: () => void
  now?: () => number
}

/**
 * Returns a tick that checks whether this process leaves work waiting that it could take. It then restarts the queue or
 * the picker, whatever their state. When several restarts do not help, it ends the process. Ticks that fail because the
 * database is unavailable do not count.
 */
export function createStallWatch(options: StallWatchOptions): () => Promise<void> {
  const { what, isOverdue, lastTaken, isBusy, longestMs, restart, now = () => performance.now() } = options
  const exit = options.exit ?? (() => endProcess(what))
  let lastTickAt = 0
  let quietSince: number | null = null
  let restarts = 0

  return async () => {
    const overdue = await isOverdue()
    const at = now()
    const missedTicks = at - lastTickAt > QUIET_MS
    lastTickAt = at
    const takenAt = lastTaken()?.at ?? Number.NEGATIVE_INFINITY
    if (!overdue || (quietSince !== null && takenAt >= quietSince)) {
      restarts = 0
      quietSince = null
    }
    if (!overdue) return
    if (quietSince === null || missedTicks) quietSince = at
    // A busy worker waits until all work in flight must have ended. A restart does not end work that hangs.
    const [limitMs, restartsMax] = isBusy()
      ? [longestMs + BUSY_MARGIN_MS, options.busyRestartsMax]
      : [QUIET_MS * 2 ** restarts, RESTARTS_MAX]
    if (at - quietSince < limitMs) return
    if (restarts >= restartsMax) return exit()
    restarts++
    quietSince = at
    log.warn({ restarts }, `${what} are waiting, but the worker takes no more: restarting`)
    restart()
  }
}

/** The supervisor starts another process. */
function endProcess(what: StallWatchOptions['what']): void {
  log.fatal(`${what} are waiting, but the worker takes no more after restarts: the process ends`)
  process.exit(1)
}

/** Returns whether a job of these tasks is overdue: 0.3 ms without jobs. */
export async function areJobsOverdue(db: Queryable, tasks: string[]): Promise<boolean> {
  const [row] = await db.execute<{ overdue: boolean }>(sql`
    select exists (
      select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where j.is_available and j.run_at < now() - make_interval(secs => ${OVERDUE_SECONDS})
        and t.identifier in (select jsonb_array_elements_text(${JSON.stringify(tasks)}::jsonb))) as overdue`)
  return row?.overdue ?? false
}

/**
 * Returns whether a queued run of the agent is overdue. Reads the queued runs up to an overdue one: 3 ms for 20,000.
 */
export async function areRunsOverdue(db: Queryable, agentId: string): Promise<boolean> {
  const [row] = await db.execute<{ overdue: boolean }>(sql`
    select exists (
      select 1 from runs r where r.state = 'queued' and r.agent_id = ${agentId}
        and r.created_at < now() - make_interval(secs => ${OVERDUE_SECONDS})) as overdue`)
  return row?.overdue ?? false
}
