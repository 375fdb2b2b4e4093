import type { z } from 'zod'
import type { Db } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import type { SystemWork } from '../../schemas/system.ts'

/** Counting ends here, so that a long queue costs no more than a short one. */
const COUNT_MAX = 10_000

type Work = z.output<typeof SystemWork>
type Counted = { count: number; oldest: number | null }

/** Returns what waits, and since when. */
export async function readWork(db: Db): Promise<Work> {
  const due = await count(db, sql`select next_run_at as at from schedules where next_run_at <= now() order by 1`)
  const runs = await count(db, sql`select created_at as at from runs where state = 'queued'`)
  const running = await count(db, sql`select created_at as at from runs where state = 'running'`)
  const jobs = await db.execute<Counted & { task: string; failing: number }>(sql`
    select task_identifier as task, count(*)::int as count, count(*) filter (where attempts > 0)::int as failing,
      extract(epoch from now() - min(run_at))::int as oldest
    from (select task_identifier, attempts, run_at from graphile_worker.jobs
      where locked_at is null and attempts < max_attempts and run_at <= now() limit ${COUNT_MAX}) j
    group by 1 order by 2 desc`)
  return {
    due,
    runs,
    running: running.count,
    jobs: jobs.map(({ task, failing, ...counted }) => ({ task, failing, ...present(counted) })),
  }
}

async function count(db: Db, rows: SQL): Promise<Work['due']> {
  const [counted] = await db.execute<Counted>(sql`
    select count(*)::int as count, greatest(0, extract(epoch from now() - min(at)))::int as oldest
    from (${rows} limit ${COUNT_MAX}) r`)
  return present(counted ?? { count: 0, oldest: null })
}

function present({ count, oldest }: Counted): Work['due'] {
  return { count, isMore: count >= COUNT_MAX, oldestSeconds: oldest }
}
