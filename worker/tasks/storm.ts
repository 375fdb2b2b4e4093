import { and, asc, desc, eq, gt, isNull, lte } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { alertEvents } from '#db/schema/alerts.ts'
import { services } from '#db/schema/resources.ts'
import { MINUTE_MS } from '#server/durations.ts'

/** If more services of one project change within a minute, their recipients get a digest instead of a mail for each. */
export const SINGLE_MAILS_MAX = 10

/** Changes that are read before and after an event: more than a storm has, if none of its services changes often. */
const CHANGES_READ = 50

/** A service had an event at a time, in milliseconds since 1970. */
export type Change = { serviceId: string; at: number }

type Event = Pick<typeof alertEvents.$inferSelect, 'id' | 'organizationId' | 'createdAt'>

/** Returns whether an event is one of many: more than `SINGLE_MAILS_MAX` services changed in a minute that contains it. */
export async function isInStorm(
  db: Queryable,
  { organizationId, createdAt }: Event,
  projectId: string,
): Promise<boolean> {
  const select = (earliest: Date, latest: Date) =>
    db
      .select({ serviceId: services.id, at: alertEvents.createdAt })
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
  const changes = [...before.reverse(), ...after].map(({ serviceId, at }) => ({ serviceId, at: at.getTime() }))
  return mostServicesAround(changes, time) > SINGLE_MAILS_MAX
}

/** Returns the most services that changed within a minute which contains `time`. `changes` are ordered by time. */
export function mostServicesAround(changes: readonly Change[], time: number): number {
  const starts = changes.filter(({ at }) => at <= time && at > time - MINUTE_MS)
  const counts = starts.map(({ at: start }) => {
    return new Set(changes.filter(({ at }) => at >= start && at < start + MINUTE_MS).map((one) => one.serviceId)).size
  })
  return Math.max(0, ...counts)
}
