import { createHash } from 'node:crypto'
import { inArray, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { schedules } from '#db/schema/runs.ts'
import { settings } from '../process/settings.ts'
import { nextSlot } from './cron.ts'

/** What a schedule is made from; a row of `services` has all of it. */
export type Schedulable = {
  id: string
  organizationId: string
  schedule: string
  isActive: boolean
}

/**
 * Brings the schedule in line with the service, in the transaction that changes the service. A service that is off has
 * no schedule; one whose cron expression stays the same keeps its next time.
 */
export async function syncSchedule(
  tx: Queryable,
  service: Schedulable,
  now: Date,
  spreadSeconds = settings().SCHEDULE_SPREAD_SECONDS,
): Promise<void> {
  await syncSchedules(tx, [service], now, spreadSeconds)
}

/** `syncSchedule` for many services in two statements. */
export async function syncSchedules(
  tx: Queryable,
  services: Schedulable[],
  now: Date,
  spreadSeconds = settings().SCHEDULE_SPREAD_SECONDS,
): Promise<void> {
  const off = services.filter((service) => !service.isActive)
  const on = services.filter((service) => service.isActive)
  if (off.length > 0) {
    await tx.delete(schedules).where(
      inArray(
        schedules.serviceId,
        off.map((service) => service.id),
      ),
    )
  }
  for (let start = 0; start < on.length; start += 1_000) {
    const rows = on.slice(start, start + 1_000).map((service) => {
      const slot = nextSlot(service.schedule, now)
      const offsetSeconds = offsetOf(service.id, spreadSeconds)
      return {
        serviceId: service.id,
        organizationId: service.organizationId,
        cron: service.schedule,
        offsetSeconds,
        nextSlot: slot,
        nextRunAt: new Date(slot.getTime() + offsetSeconds * 1_000),
      }
    })
    await tx
      .insert(schedules)
      .values(rows)
      .onConflictDoUpdate({
        target: schedules.serviceId,
        set: {
          cron: sql`excluded.cron`,
          offsetSeconds: sql`excluded.offset_seconds`,
          nextSlot: sql`excluded.next_slot`,
          nextRunAt: sql`excluded.next_run_at`,
        },
        setWhere: sql`${schedules.cron} <> excluded.cron`,
      })
  }
}

/** The service's fixed second of its minute: spreads services that share a minute, the same on every machine. */
export function offsetOf(serviceId: string, spreadSeconds: number): number {
  return createHash('sha256').update(serviceId.toLowerCase()).digest().readUInt32BE(0) % (spreadSeconds + 1)
}
