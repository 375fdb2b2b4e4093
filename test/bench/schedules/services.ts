import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { services } from '#db/schema/resources.ts'
import { type Schedulable, syncSchedules } from '#server/schedule/schedules.ts'
import { createOrganization, createProject, createWorkspace, type ProjectRow } from '#test/support/factories.ts'

export const MINUTE_MS = 60_000
const ROWS_PER_INSERT = 1_000

/** Creates active services of a project, and returns what their schedules need. */
export async function createServices(
  db: Db,
  { id: projectId, organizationId }: ProjectRow,
  count: number,
  urlOf: (i: number) => string,
): Promise<Schedulable[]> {
  const rows = Array.from({ length: count }, (_, i) => {
    const id = uuidv7()
    const script = `get("${urlOf(i)}").expect(status: 200)`
    const timing = { schedule: '* * * * *', timezone: null, isActive: true }
    return { id, organizationId, projectId, name: id, ...timing, script, version: 2 }
  })
  for (let i = 0; i < count; i += ROWS_PER_INSERT) await db.insert(services).values(rows.slice(i, i + ROWS_PER_INSERT))
  return rows
}

/** Lets the services run every minute from `begin` on, each up to `spreadSeconds` later. */
export async function runEveryMinute(db: Db, rows: Schedulable[], begin: number, spreadSeconds: number): Promise<void> {
  // A slot is after the time that is given.
  await syncSchedules(db, rows, new Date(begin - 1), spreadSeconds)
}

/** Creates a project in an organization of its own. */
export async function newProject(db: Db): Promise<ProjectRow> {
  return await createProject(db, await createWorkspace(db, await createOrganization(db)))
}

/** The first full minute that is at least `afterMs` away. */
export function nextMinute(afterMs: number): number {
  return Math.ceil((Date.now() + afterMs) / MINUTE_MS) * MINUTE_MS
}
