import { sql } from 'drizzle-orm'
import type { Db, Queryable } from '#db/client.ts'
import { systemWarnings } from '#db/schema/system.ts'
import { log } from '../process/log.ts'

/** What processes warn the operator of. The page System has a sentence for each. */
export const WARNING_CODES = [
  'agent_clock',
  'backup_failed',
  'body_store_failed',
  'disk_nearly_full',
  'few_connections',
  'key_missing',
  'mail_failed',
  'partition_missing',
  'queue_stalled',
  'rollups_late',
  'upkeep_failed',
] as const
export type WarningCode = (typeof WARNING_CODES)[number]

const DETAIL_MAX = 500
/** A process stores a warning at most this often, with the number of times that it was raised. */
const INTERVAL_MS = 60_000
/** Subjects come from operators, such as hosts and agents. This bounds them all the same. */
const ROWS_MAX = 500

type Pending = { storedAt: number; count: number }
const raised = new Map<string, Pending>()

/**
 * Tells the operator of something that needs attention. Does not wait and does not throw: the database may be what is
 * wrong. `subject` is what the warning is about, empty for the installation; `detail` is a reason without secrets.
 */
export function warnOperator(db: Db, code: WarningCode, subject: string, detail: string): void {
  const key = `${code} ${subject}`
  const pending = raised.get(key) ?? { storedAt: Number.NEGATIVE_INFINITY, count: 0 }
  pending.count++
  if (raised.size < ROWS_MAX) raised.set(key, pending)
  const now = performance.now()
  if (now - pending.storedAt < INTERVAL_MS) return
  const { count } = pending
  pending.storedAt = now
  pending.count = 0
  storeWarning(db, { code, subject, detail, count }).catch((error) => {
    pending.count += count
    log.debug({ err: error, code }, 'a warning could not be stored')
  })
}

/** Stores a warning. When there are very many already, it is left out. */
export async function storeWarning(
  db: Queryable,
  warning: { code: WarningCode; subject: string; detail: string; count?: number },
): Promise<void> {
  const detail = warning.detail.slice(0, DETAIL_MAX)
  await db.execute(sql`
    insert into ${systemWarnings} as w (code, subject, detail, count)
    select ${warning.code}, ${warning.subject.slice(0, DETAIL_MAX)}, ${detail}, ${warning.count ?? 1}::int
    where (select count(*) from ${systemWarnings}) < ${ROWS_MAX}
      or exists (select from ${systemWarnings} where code = ${warning.code} and subject = ${warning.subject})
    on conflict (code, subject) do update
      set detail = excluded.detail, last_at = now(), count = w.count + excluded.count`)
}

/** Returns the message of an error, in one line. */
export function messageOf(error: unknown): string {
  return String((error as Error)?.message ?? error).split('\n')[0] as string
}
