import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'

/** Wakes the queues of all workers for so many jobs, as the library announces new ones: so many of its workers look for one. */
export async function wakeQueues(db: Db, count: number): Promise<void> {
  await db.execute(sql`select pg_notify('jobs:insert', ${JSON.stringify({ count })})`)
}
