import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { type Measure, measureHere } from './alternate.ts'
import { cpuSecondsOf } from './cpu-time.ts'

/** Measures `work` in this process, with the CPU time of its main thread and of the database's connections. */
export async function measureWithDatabase(db: Db, work: () => Promise<number>): Promise<Measure> {
  const before = await databaseSeconds(db)
  const measure = await measureHere(work)
  return { ...measure, cpuSeconds: measure.cpuSeconds + (await databaseSeconds(db)) - before }
}

/** The CPU time that the connections of all clients have used so far, in seconds. */
async function databaseSeconds(db: Db): Promise<number> {
  const backends = await db.execute<{ pid: number }>(
    sql`select pid from pg_stat_activity where backend_type = 'client backend'`,
  )
  const seconds = await Promise.all(backends.map(({ pid }) => cpuSecondsOf(pid)))
  return seconds.reduce((sum, one) => sum + one, 0)
}
