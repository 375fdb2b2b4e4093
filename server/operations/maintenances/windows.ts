import { and, asc, isNotNull } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { projects, services } from '#db/schema/resources.ts'
import { reachesService } from '../../access.ts'
import { windowAt } from '../../schedule/maintenance/windows.ts'
import { RecurrenceError } from '../../schedule/recurrence.ts'
import { ServiceWindows, WINDOWS_SHOWN } from '../../schemas/maintenances/windows.ts'
import { sessionProcedure } from '../../trpc.ts'

/** Returns the own maintenance windows of the services that the member can read, for the page of maintenances. */
export const windows = sessionProcedure.output(ServiceWindows).query(async ({ ctx }) => {
  const { actor } = ctx
  const rows = await ctx.db
    .select({ id: services.id, name: services.name, projectName: projects.name, window: services.serviceWindow })
    .from(services)
    .innerJoin(projects, matchesRow(services.projectId, projects))
    .where(and(isNotNull(services.serviceWindow), reachesService(actor, 'read')))
    .orderBy(asc(services.name), asc(services.id))
    .limit(WINDOWS_SHOWN)
  const items: ServiceWindows['items'] = []
  for (const { id, name, projectName, window } of rows) {
    const next = await nextOf(window ?? '', actor.timezone, ctx.now())
    items.push({ serviceId: id, serviceName: name, projectName, window: window ?? '', ...next })
  }
  return { items }
})

/** Null for a window that has no further time, or that cannot be read any more. */
async function nextOf(window: string, timezone: string, now: Date) {
  try {
    const next = await windowAt(window, timezone, now)
    if (next) return { startsAt: next.startsAt.toISOString(), endsAt: next.endsAt.toISOString() }
  } catch (error) {
    if (!(error instanceof RecurrenceError)) throw error
  }
  return { startsAt: null, endsAt: null }
}
