import type { Queryable } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { systemMarks } from '#db/schema/system.ts'

/** The details of each mark. */
export type Marks = {
  /** A mail server accepted a mail. */
  mail: Record<string, never>
  /** A worker with these keys looked for values that are sealed with others. */
  keys: { ids: string[] }
  /** `npm run backup` wrote a backup. */
  backup: { file: string; host: string; release: string; bytes: number; rows: number; bodies: number; missing: number }
}

/** Stores that something happened now. */
export async function setMark<N extends keyof Marks>(db: Queryable, name: N, details: Marks[N]): Promise<void> {
  const at = sql`now()`
  await db
    .insert(systemMarks)
    .values({ name, at, details })
    .onConflictDoUpdate({ target: systemMarks.name, set: { at, details } })
}
