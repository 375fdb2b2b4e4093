import type { silences } from '#db/schema/scoped.ts'
import { isOpen, RecurrenceError } from '#server/schedule/recurrence.ts'
import { SilenceConfig } from '#server/schemas/silences.ts'

export type HeldSilence = Pick<
  typeof silences.$inferSelect,
  'channel' | 'config' | 'quietHours' | 'workspaceId' | 'projectId' | 'serviceId'
>

/** An event's kind, and its service with the project and workspace above it. */
export type SilenceableEvent = { kind: string; workspaceId: string; projectId: string; serviceId: string }

/** The channels that silences apply to. There is only one so far. */
export type PersonalChannel = 'email'

/**
 * Whether any of a member's silences keeps an event from being sent on a channel at `at`. `timezone` is the organization's,
 * for quiet hours that name no zone.
 */
export function isSilenced(
  held: HeldSilence[],
  event: SilenceableEvent,
  channel: PersonalChannel,
  at: Date,
  timezone: string,
): boolean {
  return held.some(
    (silence) =>
      coversChannel(silence, channel) &&
      coversResource(silence, event) &&
      configApplies(silence.config, event.kind, at) &&
      isQuietTime(silence.quietHours, at, timezone),
  )
}

function coversChannel({ channel }: HeldSilence, wanted: PersonalChannel): boolean {
  return channel === 'all' || channel === wanted || (channel === 'quiet-hours' && wanted === 'email')
}

/** A silence covers its resource and everything below it; without a resource, everything. */
function coversResource({ workspaceId, projectId, serviceId }: HeldSilence, event: SilenceableEvent): boolean {
  if (workspaceId !== null) return workspaceId === event.workspaceId
  if (projectId !== null) return projectId === event.projectId
  return serviceId === null || serviceId === event.serviceId
}

function configApplies(text: string | null, kind: string, at: Date): boolean {
  if (text === null) return true
  const { events, until } = SilenceConfig.parse(JSON.parse(text))
  const isNamed = events === undefined || events.some((event) => event === kind)
  return isNamed && (until === undefined || at.getTime() < Date.parse(until))
}

/** An unreadable rule must not suppress an alert. */
function isQuietTime(quietHours: string | null, at: Date, timezone: string): boolean {
  if (quietHours === null) return true
  try {
    return isOpen(quietHours, 'quietHours', at, timezone)
  } catch (error) {
    if (error instanceof RecurrenceError) return false
    throw error
  }
}
