import { and, asc, desc, eq, gt, isNull, lte } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { alertEvents } from '#db/schema/alerts.ts'
import { services } from '#db/schema/resources.ts'
import { MINUTE_MS } from '#server/durations.ts'

/** So many services of one project that change within a minute are mailed at once. The next ones wait for a minute. */
export const MAILED_AT_ONCE_MAX = 3

/** If more services of one project change within a minute, their recipients get a digest instead of a mail for each. */
export const SINGLE_MAILS_MAX = 10

/** Changes that are read before and after an event: more than a storm has, if none of its services changes often. */
const CHANGES_READ = 50

/** A service had an event at a time, in milliseconds since 1970. */
export type Change = { id: string; serviceId: string; at: number }

type Event = Pick<typeof alertEvents.$inferSelect, 'id' | 'organizationId' | 'createdAt'>

/**
 * Returns whether the mails about an event wait for a minute: others were sent at once shortly before it, or it is part of
 * a storm. It depends on the stored events alone, so workers that handle them in any order decide alike.
 */
export async function isGathered(db: Queryable, event: Event & { serviceId: string }, projectId: string) {
  const { id, serviceId } = event
  const at = event.createdAt.getTime()
  const changes = await readChanges(db, event, projectId)
  return (
    othersBefore(changes, { id, serviceId, at }) >= MAILED_AT_ONCE_MAX ||
    mostServicesAround(changes, at) > SINGLE_MAILS_MAX
  )
}

/** Returns whether an event is one of many: more than `SINGLE_MAILS_MAX` services changed in a minute that contains it. */
export async function isInStorm(db: Queryable, event: Event, projectId: string): Promise<boolean> {
  return mostServicesAround(await readChanges(db, event, projectId), event.createdAt.getTime()) > SINGLE_MAILS_MAX
}

/** Returns the changes of a project in the minutes before and after an event, by time. */
async function readChanges(db: Queryable, { organizationId, createdAt }: Event, projectId: string): Promise<Change[]> {
  const select = (earliest: Date, latest: Date) =>
    db
      .select({ id: alertEvents.id, serviceId: services.id, at: alertEvents.createdAt })
      .from(alertEvents)
      .innerJoin(services, eq(services.id, alertEvents.serviceId))
      .where(
        and(
          eq(alertEvents.organizationId, organizationId),
          eq(services.projectId, projectId),
          isNull(alertEvents.suppressedReason),
          gt(alertEvents.createdAt, earliest),
          lte(alertEvents.createdAt, latest),
        ),
      )
  const time = createdAt.getTime()
  const before = await select(new Date(time - MINUTE_MS), createdAt)
    .orderBy(desc(alertEvents.createdAt))
    .limit(CHANGES_READ)
  const after = await select(createdAt, new Date(time + MINUTE_MS))
    .orderBy(asc(alertEvents.createdAt))
    .limit(CHANGES_READ)
  return [...before.reverse(), ...after].map((change) => ({ ...change, at: change.at.getTime() }))
}

/** Returns how many other services changed within the minute before a change. Changes at the same time are ordered by id. */
export function othersBefore(changes: readonly Change[], { id, serviceId, at }: Change): number {
  const before = changes.filter((one) => one.at > at - MINUTE_MS && (one.at < at || (one.at === at && one.id < id)))
  return new Set(before.filter((one) => one.serviceId !== serviceId).map((one) => one.serviceId)).size
}

/** Returns the most services that changed within a minute which contains `time`. `changes` are ordered by time. */
export function mostServicesAround(changes: readonly Omit<Change, 'id'>[], time: number): number {
  const starts = changes.filter(({ at }) => at <= time && at > time - MINUTE_MS)
  const counts = starts.map(({ at: start }) => {
    return new Set(changes.filter(({ at }) => at >= start && at < start + MINUTE_MS).map((one) => one.serviceId)).size
  })
  return Math.max(0, ...counts)
}
