import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { services } from '#db/schema/resources.ts'
import { syncSchedules } from '#server/schedule/schedules.ts'
import { createOrganization, createProject, createWorkspace, type ProjectRow } from '#test/support/factories.ts'

export const MINUTE_MS = 60_000
const ROWS_PER_INSERT = 1_000

type MinutelyServices = { count: number; begin: number; spreadSeconds: number; urlOf: (i: number) => string }

/** Creates services of a project that run every minute from `begin` on, and returns their ids. */
export async function createMinutely(
  db: Db,
  { id: projectId, organizationId }: ProjectRow,
  { count, begin, spreadSeconds, urlOf }: MinutelyServices,
): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, i) => ({
    ...{ id: uuidv7(), organizationId, projectId, name: `Service ${i}`, schedule: '* * * * *', isActive: true },
    ...{ script: `get("${urlOf(i)}").expect(status: 200)`, version: 2 },
  }))
  for (let i = 0; i < count; i += ROWS_PER_INSERT) {
    const some = rows.slice(i, i + ROWS_PER_INSERT)
    await db.insert(services).values(some)
    // A slot is after the time that is given.
    await syncSchedules(db, some, new Date(begin - 1), spreadSeconds)
  }
  return rows.map(({ id }) => id)
}

/** Creates a project in an organization of its own. */
export async function newProject(db: Db): Promise<ProjectRow> {
  return await createProject(db, await createWorkspace(db, await createOrganization(db)))
}

/** The first full minute that is at least `afterMs` away. */
export function nextMinute(afterMs: number): number {
  return Math.ceil((Date.now() + afterMs) / MINUTE_MS) * MINUTE_MS
}
