import type { Db } from '#db/client.ts'
import { desc } from '#db/drizzle.cjs'
import { systemWarnings } from '#db/schema/system.ts'
import type { SystemWarning } from '../../schemas/system.ts'

const WARNINGS_MAX = 200

/** Returns the warnings of the last 30 days, the latest first. */
export async function readWarnings(db: Db): Promise<SystemWarning[]> {
  const rows = await db.select().from(systemWarnings).orderBy(desc(systemWarnings.lastAt)).limit(WARNINGS_MAX)
  return rows.map((row) => ({ ...row, firstAt: row.firstAt.toISOString(), lastAt: row.lastAt.toISOString() }))
}
