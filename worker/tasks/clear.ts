import { and, eq } from 'drizzle-orm'
import { anyOf } from '#db/any-of.ts'
import type { Db } from '#db/client.ts'
import { bodyStores } from '#db/schema/body-stores.ts'
import {
  alertEvents,
  assertionDays,
  assertionHours,
  endpointDays,
  endpointHours,
  previousResults,
  recentLatencies,
  results,
  runDays,
  runHours,
  serviceStates,
} from '#db/schema/results.ts'
import type { BodyStore } from '#server/bodies/body-store.ts'
import { storeFor } from '#server/bodies/store.ts'
import { log } from '#server/process/log.ts'
import type { Settings } from '#server/process/settings.ts'
import { JOBS } from '#server/schedule/jobs.ts'

/** The state goes first: whoever adds up hours holds it, and would put back what is cleared. */
const TABLES = [
  serviceStates,
  recentLatencies,
  results,
  runHours,
  runDays,
  endpointHours,
  endpointDays,
  assertionHours,
  assertionDays,
  previousResults,
  alertEvents,
]

/** Clears what deleted services left: results, roll-ups, states, events, bodies. May be repeated after a failure. */
export async function clear(db: Db, settings: Settings, payload: unknown): Promise<void> {
  const { organizationId, serviceIds } = JOBS.clear.parse(payload)
  for (const table of TABLES) {
    await db.delete(table).where(and(eq(table.organizationId, organizationId), anyOf(table.serviceId, serviceIds)))
  }
  for (const row of await db.select().from(bodyStores)) {
    const store = reachable(row.url, settings)
    if (!store) continue
    for (const serviceId of serviceIds) await store.removeService(organizationId, serviceId)
  }
}

/** A store of former settings may be out of reach for good; its bodies are not worth failing for. */
function reachable(url: string, settings: Settings): BodyStore | null {
  try {
    return storeFor(url, settings)
  } catch (error) {
    log.warn({ err: error }, 'a body store cannot be opened')
    return null
  }
}
