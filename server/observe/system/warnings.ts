import type { Db, Queryable } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { causesOf } from '#db/errors.ts'
import { systemWarnings } from '#db/schema/system.ts'
import { log } from '../../process/log.ts'

/** Warnings of processes to the operator. The System page has a sentence for each. */
export const WARNING_CODES = [
  'agent_clock',
  'backup_failed',
  'body_store_failed',
  'disk_nearly_full',
  'few_connections',
  'key_missing',
  'mail_failed',
  'partition_missing',
  'process_clock',
  'queue_stalled',
  'rollups_late',
  'upkeep_failed',
] as const
export type WarningCode = (typeof WARNING_CODES)[number]

const DETAIL_MAX = 500
/** A process stores a warning at most this often, with the number of times that it was raised. */
const INTERVAL_MS = 60_000
/** Subjects, such as hosts, kept per code: the latest. One code cannot displace another. */
const SUBJECTS_MAX = 50
const RAISED_MAX = WARNING_CODES.length * SUBJECTS_MAX

type Pending = { storedAt: number; count: number }
const raisedOf = new WeakMap<Db, Map<string, Pending>>()

/**
 * Warns the operator. Does not wait and does not throw, because the database itself may be the problem. `subject` is
 * what the warning is about, empty for the installation; `detail` is a reason without secrets.
 */
export function warnOperator(db: Db, code: WarningCode, subject: string, detail: string): void {
  const key = `${code} ${subject}`
  const raised = raisedOf.get(db) ?? new Map<string, Pending>()
  raisedOf.set(db, raised)
  const pending = raised.get(key) ?? { storedAt: Number.NEGATIVE_INFINITY, count: 0 }
  pending.count++
  if (raised.size < RAISED_MAX) raised.set(key, pending)
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

/** Stores a warning, in place of the oldest of its code when there are many. */
export async function storeWarning(
  db: Queryable,
  warning: { code: WarningCode; subject: string; detail: string; count?: number },
): Promise<void> {
  const { code, count = 1 } = warning
  const subject = warning.subject.slice(0, DETAIL_MAX)
  const detail = warning.detail.slice(0, DETAIL_MAX)
  await db.execute(sql`
    with displaced as (
      delete from ${systemWarnings} where code = ${code} and subject in (
        select subject from ${systemWarnings} where code = ${code} and subject <> ${subject}
        order by last_at desc, subject offset ${SUBJECTS_MAX - 1}))
    insert into ${systemWarnings} as w (code, subject, detail, count) values (${code}, ${subject}, ${detail}, ${count})
    on conflict (code, subject) do update
      set detail = excluded.detail, last_at = now(), count = w.count + excluded.count`)
}

/** Returns the message of an error in one line: that of the database where drizzle only names the statement. */
export function messageOf(error: unknown): string {
  const { message = error } = (causesOf(error).at(-1) ?? error ?? {}) as { message?: unknown }
  return String(message).split('\n')[0] as string
}
