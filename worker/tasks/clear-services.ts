import { anyOf } from '#db/any-of.ts'
import type { Db } from '#db/client.ts'
import { and, eq } from '#db/drizzle.cjs'
import { alertEvents, certificates, incidents } from '#db/schema/alerts.ts'
import { bodyStores } from '#db/schema/body-stores.ts'
import {
  assertionDays,
  assertionHours,
  endpointDays,
  endpointHours,
  results,
  runDays,
  runHours,
  serviceAgentStates,
  serviceStates,
  versionRuns,
} from '#db/schema/results.ts'
import { runRequests } from '#db/schema/run-requests.ts'
import { scriptVersions } from '#db/schema/scripts.ts'
import type { BodyStore } from '#server/bodies/body-store.ts'
import { storeFor } from '#server/bodies/store.ts'
import { log } from '#server/process/log.ts'
import type { Settings } from '#server/process/settings.ts'
import { JOBS } from '#server/schedule/jobs.ts'

/** States come first: writers of the other tables lock the state's row, and could insert cleared rows again. */
const TABLES = [
  serviceStates,
  results,
  runHours,
  runDays,
  endpointHours,
  endpointDays,
  assertionHours,
  assertionDays,
  versionRuns,
  serviceAgentStates,
  alertEvents,
  incidents,
  certificates,
  scriptVersions,
  runRequests,
]

/** Deletes the data of deleted services: results, roll-ups, states, events, scripts, bodies. Repeatable after a failure. */
export async function clearServices(db: Db, settings: Settings, payload: unknown): Promise<void> {
  const { organizationId, serviceIds } = JOBS.clear.parse(payload)
  for (const table of TABLES) {
    await db.delete(table).where(and(eq(table.organizationId, organizationId), anyOf(table.serviceId, serviceIds)))
  }
  for (const row of await db.select().from(bodyStores)) {
    const store = openOrNull(row.url, settings)
    if (!store) continue
    for (const serviceId of serviceIds) await store.removeService(organizationId, serviceId)
  }
}

/** Returns null for a store that cannot be opened: a store of former settings may be gone forever. */
function openOrNull(url: string, settings: Settings): BodyStore | null {
  try {
    return storeFor(url, settings)
  } catch (error) {
    log.warn({ err: error }, 'a body store cannot be opened')
    return null
  }
}
