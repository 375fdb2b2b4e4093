import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { matchesId } from '#db/row-match.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { announce, type Changes } from '#server/live/announce.ts'
import { windowAt } from '#server/schedule/maintenance/windows.ts'
import { RecurrenceError } from '#server/schedule/recurrence.ts'
import { topics } from '#server/schemas/live/topics.ts'

/** Before its end, a time is looked at, so that one that follows at once leaves no gap. */
const EARLY = sql`interval '2 minutes'`
/** After its end, a time stays for the runs that are being stored. */
const LATE_MS = 60_000
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
    where ends_at > now() - ${LOOK_BACK} and (ends_at <= now() or starts_at between now() - ${LOOK_BACK} and now())`)
  const changes: Changes = new Map(rows.map((row) => [row.organization_id, new Set([topics.write('maintenance')])]))
  await announce(db, changes)
}

/** One after another, and each on its own: a member may end or delete one meanwhile. */
async function moveRules(db: Db): Promise<void> {
  const due = await db.execute<{ organization_id: string; id: string }>(sql`
    select organization_id, id from maintenances
    where ends_at <= now() + ${EARLY} and rule is not null and ended_at is null`)
  for (const { organization_id, id } of due) {
    await db.transaction(async (tx) => {
      const [row] = await tx
        .select({ one: maintenances, now: sql<Date>`now()`.mapWith(maintenances.endsAt) })
        .from(maintenances)
        .where(matchesId(maintenances.id, organization_id, id))
        .for('update', { skipLocked: true })
      const { rule, timezone, endsAt, endedAt } = row?.one ?? {}
      if (!row || !rule || !timezone || !endsAt || endedAt) return
      const next = await nextWindow(rule, timezone, endsAt)
      const isOver = row.now.getTime() >= endsAt.getTime() + LATE_MS
      const changed =
        next && next.startsAt <= endsAt ? { endsAt: next.endsAt } : isOver ? (next ?? { endedAt: endsAt }) : null
      if (changed)
        await tx
          .update(maintenances)
          .set(changed)
          .where(matchesId(maintenances.id, organization_id, id))
    })
  }
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
