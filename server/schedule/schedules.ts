import { createHash } from 'node:crypto'
import type { Queryable } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { matchesRows } from '#db/row-match.ts'
import { schedules } from '#db/schema/runs.ts'
import { settings } from '../process/settings.ts'
import { nextSlot } from './cron-slots.ts'
import { zoneOrUtc } from './time-zones.ts'

/** The columns of `services` that determine a schedule. */
export type Schedulable = {
  id: string
  organizationId: string
  schedule: string
  timezone: string | null
  isActive: boolean
}

/**
 * Updates the schedule of a service, in the transaction that changes the service. A service that is off has no schedule.
 * If the cron expression and its time zone are unchanged, the next slot is kept.
 */
export async function syncSchedule(
  tx: Queryable,
  service: Schedulable,
  now: Date,
  spreadSeconds = settings().SCHEDULE_SPREAD_SECONDS,
): Promise<void> {
  await syncSchedules(tx, [service], now, spreadSeconds)
}

/** Like `syncSchedule`, for many services in two statements. */
export async function syncSchedules(
  tx: Queryable,
  services: Schedulable[],
  now: Date,
  spreadSeconds = settings().SCHEDULE_SPREAD_SECONDS,
): Promise<void> {
  const off = services.filter((service) => !service.isActive)
  const on = services.filter((service) => service.isActive)
  if (off.length > 0) {
    await tx.delete(schedules).where(matchesRows(schedules.serviceId, off))
  }
  for (let start = 0; start < on.length; start += 1_000) {
    const rows = on.slice(start, start + 1_000).map((service) => {
      const cronTimezone = service.timezone ?? 'UTC'
      const slot = nextSlot(service.schedule, now, zoneOrUtc(cronTimezone))
      const offsetSeconds = offsetOf(service.id, spreadSeconds)
      return {
        serviceId: service.id,
        organizationId: service.organizationId,
        cron: service.schedule,
        cronTimezone,
        offsetSeconds,
        nextSlot: slot,
        nextRunAt: new Date(slot.getTime() + offsetSeconds * 1_000),
      }
    })
    await tx
      .insert(schedules)
      .values(rows)
      .onConflictDoUpdate({
        target: [schedules.organizationId, schedules.serviceId],
        set: {
          cron: sql`excluded.cron`,
          cronTimezone: sql`excluded.cron_timezone`,
          offsetSeconds: sql`excluded.offset_seconds`,
          nextSlot: sql`excluded.next_slot`,
          nextRunAt: sql`excluded.next_run_at`,
          expectedFrom: sql`now()`,
        },
        setWhere: sql`(${schedules.cron}, ${schedules.cronTimezone}) <> (excluded.cron, excluded.cron_timezone)`,
      })
  }
}

/** Returns the seconds by which a service's runs start after their slot. It spreads services that share a slot. */
export function offsetOf(serviceId: string, spreadSeconds: number): number {
  return createHash('sha256').update(serviceId.toLowerCase()).digest().readUInt32BE(0) % (spreadSeconds + 1)
}
