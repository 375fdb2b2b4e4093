/** Returns the input of the query for the next runs of a service. */
export function scheduleQuery({ schedule, timezone }: { schedule: string; timezone: string | null }) {
  return { kind: 'schedule', expression: schedule, timezone: timezone ?? 'UTC' } as const
}
