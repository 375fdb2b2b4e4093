import type { Incident } from '#server/schemas/alerts/incidents.ts'

/** Returns the input of `results.list` for the runs from the first failing one to the recovery. */
export function runsQuery({ serviceId, failingSince, closedAt }: Incident, page: number) {
  return { id: serviceId, page, pageSize: 25, since: failingSince, ...(closedAt ? { until: closedAt } : {}) }
}
