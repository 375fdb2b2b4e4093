import { shouldYield, yieldToEventLoop } from '#server/lace/event-loop.ts'
import { log } from '#server/process/log.ts'
import { isOpen, RecurrenceError } from '#server/schedule/recurrence.ts'

type ServiceWindow = { service_id: string; service_window: string | null; timezone: string | null }

/** Returns the ids of the services that are under maintenance at `now`. An unreadable window does not block probing. */
export async function servicesInMaintenance(services: ServiceWindow[], now: Date): Promise<Set<string>> {
  const found = new Set<string>()
  for (const { service_id, service_window, timezone } of services) {
    if (service_window === null || timezone === null) continue
    // A window that is not cached takes milliseconds to compute.
    if (shouldYield()) await yieldToEventLoop()
    try {
      if (isOpen(service_window, 'serviceWindow', now, timezone)) found.add(service_id)
    } catch (error) {
      if (!(error instanceof RecurrenceError)) throw error
      log.warn({ serviceId: service_id, reason: error.message }, 'a maintenance window cannot be read')
    }
  }
  return found
}
