import type { Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { matchesRow, type RowKey } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import type { ActorContext } from '../context.ts'
import { shouldYield, yieldToEventLoop } from '../language/lace/event-loop.ts'
import { type HeldMaintenance, heldMaintenance } from '../schedule/maintenance/holding.ts'
import { closesAt, RecurrenceError } from '../schedule/recurrence.ts'
import type { ServiceMaintenance } from '../schemas/maintenances/maintenances.ts'

/** What can hold for a service: the maintenance that holds now, and its own window. */
export type Held = { id: string; heldMaintenance: HeldMaintenance | null; serviceWindow: string | null }

/** The maintenance of `Held`, of the relation `services`. */
export const HELD_MAINTENANCE: SQL = heldMaintenance(sql`services`)

type PresentContext = Pick<ActorContext, 'actor' | 'now'>

/** Returns what holds for services now, by their ids: a maintenance, or else their own window that is open. */
export async function presentHeld(
  rows: readonly Held[],
  { actor, now }: PresentContext,
): Promise<Map<string, ServiceMaintenance>> {
  const found = new Map<string, ServiceMaintenance>()
  for (const { id, heldMaintenance: held, serviceWindow } of rows) {
    if (held) found.set(id, { ...held, until: new Date(held.until).toISOString() })
    else if (serviceWindow !== null) {
      // A window that is not cached takes milliseconds to compute.
      if (shouldYield()) await yieldToEventLoop()
      const until = windowEnd(serviceWindow, now(), actor.timezone)
      if (until) found.set(id, { id: null, mode: 'skip', until: until.toISOString(), note: null, by: null })
    }
  }
  return found
}

/** Reads what holds for a new service. */
export async function readHeld(
  db: Queryable,
  ctx: PresentContext,
  service: RowKey<string>,
): Promise<ServiceMaintenance | null> {
  const rows = await db.execute<Held>(sql`
    select services.id, ${HELD_MAINTENANCE} as "heldMaintenance", services.service_window as "serviceWindow"
    from services where ${matchesRow(services.id, service)}`)
  return (await presentHeld(rows, ctx)).get(service.id) ?? null
}

/** Returns when the window that is open closes; null for one that is closed, or that cannot be read any more. */
function windowEnd(window: string, at: Date, timezone: string): Date | null {
  try {
    return closesAt(window, 'serviceWindow', at, timezone)
  } catch (error) {
    if (error instanceof RecurrenceError) return null
    throw error
  }
}
