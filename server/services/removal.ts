import { and, asc, eq, ne, type SQL } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { projects, services } from '#db/schema/resources.ts'
import { runs } from '#db/schema/runs.ts'
import { enqueue } from '../schedule/jobs.ts'

/** Services per job: the results and bodies of one can be many. */
const BATCH = 100

/**
 * Deletes the services that `within` selects, with their schedules and open runs, and has results, roll-ups and bodies
 * cleared in the background. Returns how many there were. Services are locked first, in the order of their ids, and
 * their runs next, in the order of theirs: so do the workers, and none waits for another in a circle.
 */
export async function removeServices(tx: Tx, organizationId: string, within: SQL): Promise<number> {
  await tx.select({ id: services.id }).from(services).where(within).orderBy(asc(services.id)).for('update')
  await tx
    .select({ id: runs.id })
    .from(runs)
    .innerJoin(services, eq(services.id, runs.serviceId))
    .where(and(within, ne(runs.state, 'done')))
    .orderBy(asc(runs.id))
    .for('update', { of: runs })
  const removed = await tx.delete(services).where(within).returning({ id: services.id })
  for (let start = 0; start < removed.length; start += BATCH) {
    const serviceIds = removed.slice(start, start + BATCH).map((row) => row.id)
    await enqueue(tx, 'clear', { organizationId, serviceIds })
  }
  return removed.length
}

/** The projects of a workspace, locked in the order of their ids: none gets a service any more. */
export async function lockProjectsOf(tx: Tx, workspaceId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.workspaceId, workspaceId))
    .orderBy(asc(projects.id))
    .for('update')
  return rows.map((row) => row.id)
}
