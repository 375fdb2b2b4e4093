import { type Db, type Queryable, withSession } from './client.ts'
import { sql } from './drizzle.cjs'

export const DAY_MS = 86_400_000
/** An arbitrary number, the same in all processes of an installation. */
const DROP_LOCK = 7_236_002

/** Returns the partition for results that started on the day of this instant. */
export function partitionName(day: Date): string {
  return `results_${day.toISOString().slice(0, 10).replaceAll('-', '_')}`
}

/**
 * Creates the missing partitions of `results`, from the day of `from` to `days` later. `if not exists` still fails when
 * two processes create the same partition at once, so that error is caught.
 */
export async function ensurePartitions(db: Queryable, from: Date, days: number): Promise<void> {
  const first = Math.floor(from.getTime() / DAY_MS) * DAY_MS
  for (let i = 0; i <= days; i++) {
    const start = new Date(first + i * DAY_MS)
    const end = new Date(start.getTime() + DAY_MS)
    await db.execute(
      sql.raw(
        `do $$ begin
          create table if not exists ${partitionName(start)} partition of results
            for values from ('${start.toISOString()}') to ('${end.toISOString()}');
        exception when duplicate_table or unique_violation then null;
        end $$`,
      ),
    )
  }
}

/**
 * Drops the partitions of `results` for days before `before`. Each one is detached first, which does not block readers
 * and writers. If another process is dropping partitions, this one does nothing.
 */
export async function dropPartitions(db: Db, before: Date): Promise<void> {
  // `detach … concurrently` must run outside of transactions, and may wait for long readers.
  await withSession(db, async (session) => {
    const [lock] = await session.execute<{ held: boolean }>(sql`select pg_try_advisory_lock(${DROP_LOCK}) as held`)
    if (!lock?.held) return
    const tables = await session.execute<{ name: string; attached: boolean; pending: boolean }>(sql`
      select c.relname as name, i.inhrelid is not null as attached, coalesce(i.inhdetachpending, false) as pending
      from pg_class c left join pg_inherits i on i.inhrelid = c.oid
      where c.relkind = 'r' and c.relname ~ '^results_[0-9]{4}_[0-9]{2}_[0-9]{2}$'
        and c.relnamespace = current_schema()::regnamespace and c.relname < ${partitionName(before)}
      order by c.relname`)
    for (const { name, attached, pending } of tables) {
      // An interrupted detachment must be finalized first.
      if (pending) await session.execute(sql.raw(`alter table results detach partition ${name} finalize`))
      else if (attached) await session.execute(sql.raw(`alter table results detach partition ${name} concurrently`))
      await session.execute(sql.raw(`drop table ${name}`))
    }
  })
}
