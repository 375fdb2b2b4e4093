import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { asc, eq, sql } from '#db/drizzle.cjs'
import type { services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { runs, schedules } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { type RequestedRun, type RunDemand, requestRun } from '#server/runs/runs/request-run.ts'
import { syncSchedule } from '#server/schedule/schedules.ts'
import { createOrganization, createProject, createService, createWorkspace } from '../factories.ts'

export type ProbedService = typeof services.$inferSelect

/**
 * Creates an active service in a new organization, with its system variables. Its failures are not rechecked, unless the
 * test says after how many seconds.
 */
export async function createProbedService(
  db: Db,
  script: string,
  given: Partial<typeof services.$inferInsert> = {},
  confirmFailures = 1,
  recheckSeconds = 0,
): Promise<ProbedService> {
  const project = await createProject(db, await createWorkspace(db, await createOrganization(db)))
  // Due once a year: tests make it due themselves.
  const service = await createService(db, project, {
    script,
    isActive: true,
    version: 2,
    schedule: '0 0 1 1 *',
    ...given,
  })
  const system = { organizationId: service.organizationId, serviceId: service.id, type: 'metric' as const }
  await db.insert(variables).values([
    { ...system, id: uuidv7(), key: 'confirmFailures', systemType: 'integer', value: String(confirmFailures) },
    { ...system, id: uuidv7(), key: 'confirmRecoveries', systemType: 'integer', value: '1' },
    { ...system, id: uuidv7(), key: 'recheckSeconds', systemType: 'integer', value: String(recheckSeconds) },
    { ...system, id: uuidv7(), key: 'recheckWrites', systemType: 'boolean', value: 'false' },
    { ...system, id: uuidv7(), key: 'alertOnRecovery', systemType: 'boolean', value: 'true' },
    { ...system, id: uuidv7(), key: 'remindMinutes', systemType: 'integer', value: '0' },
  ])
  await syncSchedule(db, service, new Date(), 0)
  return service
}

/** Makes services due now, each in a slot of its own. */
export async function makeDue(db: Db, ...due: { id: string }[]): Promise<void> {
  for (const { id } of due) {
    await db
      .update(schedules)
      .set({ nextSlot: sql`clock_timestamp()`, nextRunAt: sql`now() - interval '1 second'` })
      .where(eq(schedules.serviceId, id))
  }
}

export function requestRunOf(db: Db, service: ProbedService, demand: RunDemand = {}): Promise<RequestedRun> {
  return db.transaction((tx) => requestRun(tx, service, new Date(), demand))
}

export function resultsOf(db: Db, service: { id: string }) {
  return db.select().from(results).where(eq(results.serviceId, service.id)).orderBy(asc(results.startedAt))
}

export function runsOf(db: Db, service: { id: string }) {
  return db.select().from(runs).where(eq(runs.serviceId, service.id)).orderBy(asc(runs.createdAt), asc(runs.id))
}
