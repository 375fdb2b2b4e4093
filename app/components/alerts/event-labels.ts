/** The kinds of event, as a member chooses them and as lists name them. */
const LABELS: Record<string, { one: string; many: string }> = {
  'service.failed': { one: 'Failed', many: 'Failures' },
  'service.recovered': { one: 'Recovered', many: 'Recoveries' },
  'service.reminder': { one: 'Reminder', many: 'Reminders' },
  'service.flapping': { one: 'Flapping', many: 'Flapping services' },
  'certificate.expiring': { one: 'Certificate expires', many: 'Expiring certificates' },
  'agent.lost': { one: 'Agent lost', many: 'Lost agents' },
  'agent.back': { one: 'Agent back', many: 'Returned agents' },
}

/** Returns for example `Failed` for `service.failed`. */
export function eventLabel(kind: string): string {
  return LABELS[kind]?.one ?? kind
}

/** Returns for example `Failures` for `service.failed`. */
export function eventsLabel(kind: string): string {
  return LABELS[kind]?.many ?? kind
}
