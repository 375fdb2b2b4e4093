import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { matchesId } from '#db/row-match.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { MINUTE_MS } from '#server/durations.ts'
import { announce, type Changes } from '#server/live/announce.ts'
import { log } from '#server/process/log.ts'
import { windowAt } from '#server/schedule/maintenance/windows.ts'
import { RecurrenceError } from '#server/schedule/recurrence.ts'
import { topics } from '#server/schemas/live/topics.ts'

/** Before its end, a time is looked at, so that one that follows at once leaves no gap. */
const EARLY = sql`interval '2 minutes'`
/**
 * Times that ended longer ago are passed over, as after a restored backup. The longest run takes ten minutes, and its result
 * can come later than it ends.
 */
const LATE_MS = 30 * MINUTE_MS
/** A minute, and what a job may start late. */
const LOOK_BACK = sql`interval '75 seconds'`

/**
 * Moves maintenances with a rule to their next time, and tells open pages which maintenances began or ended. A job of each
 * minute.
 */
export async function moveMaintenances(db: Db): Promise<void> {
  await moveRules(db)
  const rows = await db.execute<{ organization_id: string }>(sql`
    select distinct organization_id from maintenances
    where ends_at > now() - ${LOOK_BACK} and (ends_at <= now() or starts_at between now() - ${LOOK_BACK} and now()
      or previous_ends_at between now() - ${LOOK_BACK} and now())`)
  const changes: Changes = new Map(rows.map((row) => [row.organization_id, new Set([topics.write('maintenance')])]))
  await announce(db, changes)
}

/**
 * One after another, and each on its own: a member may end or delete one meanwhile, and one that fails stops no other. The
 * organizations take turns, so none waits for all of another's.
 */
async function moveRules(db: Db): Promise<void> {
  const due = await db.execute<{ organization_id: string; id: string }>(sql`
    select organization_id, id from maintenances
    where ends_at <= now() + ${EARLY} and rule is not null and ended_at is null
    order by row_number() over (partition by organization_id order by ends_at, id), ends_at, id`)
  for (const { organization_id: organizationId, id } of due) {
    await moveOne(db, organizationId, id).catch((error) => {
      log.error({ err: error, organizationId, maintenanceId: id }, 'a maintenance could not be moved to its next time')
    })
  }
}

async function moveOne(db: Db, organizationId: string, id: string): Promise<void> {
  const isOne = matchesId(maintenances.id, organizationId, id)
  await db.transaction(async (tx) => {
    const [row] = await tx
      .select({ one: maintenances, now: sql<Date>`now()`.mapWith(maintenances.endsAt) })
      .from(maintenances)
      .where(isOne)
      .for('update', { skipLocked: true })
    if (!row || row.one.endedAt) return
    let moved: Moved = row.one
    do {
      const next = await moveOn(moved, row.now)
      if (!next) break
      moved = { ...moved, ...next }
    } while (moved.endsAt <= row.now && !moved.endedAt)
    const { startsAt, endsAt, previousStartsAt, previousEndsAt, endedAt } = moved
    if (moved !== row.one)
      await tx.update(maintenances).set({ startsAt, endsAt, previousStartsAt, previousEndsAt, endedAt }).where(isOne)
  })
}

type Moved = Pick<
  typeof maintenances.$inferSelect,
  'rule' | 'timezone' | 'startsAt' | 'endsAt' | 'previousStartsAt' | 'previousEndsAt' | 'endedAt'
>

/** Returns what the next time of a rule changes; null while the present one goes on. */
async function moveOn({ rule, timezone, startsAt, endsAt }: Moved, now: Date): Promise<Partial<Moved> | null> {
  if (rule === null || timezone === null) return null
  const next = await nextWindow(rule, timezone, new Date(Math.max(endsAt.getTime(), now.getTime() - LATE_MS)))
  if (next && next.startsAt <= endsAt) return { endsAt: next.endsAt }
  if (endsAt > now) return null
  return next ? { ...next, previousStartsAt: startsAt, previousEndsAt: endsAt } : { endedAt: endsAt }
}

/** A rule that a later release cannot read any more ends. */
async function nextWindow(rule: string, timezone: string, at: Date) {
  try {
    return await windowAt(rule, timezone, at)
  } catch (error) {
    if (error instanceof RecurrenceError) return null
    throw error
  }
}
