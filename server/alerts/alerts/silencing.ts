import type { silences } from '#db/schema/scoped.ts'
import { shouldYield, yieldToEventLoop } from '#server/language/lace/event-loop.ts'
import { closesAt, isOpen, RecurrenceError } from '#server/schedule/recurrence.ts'
import { coversKind, type Silence, SilenceConfig } from '#server/schemas/alerts/silences.ts'

export type HeldSilence = Pick<
  typeof silences.$inferSelect,
  'id' | 'channel' | 'config' | 'quietHours' | 'workspaceId' | 'projectId' | 'serviceId'
>

/** Returns a member's silence as the API shows it to them. */
export function presentSilence(row: HeldSilence & { membershipId: string; resourceName: string | null }): Silence {
  return {
    id: row.id,
    orgUserId: row.membershipId,
    workspaceId: row.workspaceId,
    projectId: row.projectId,
    serviceId: row.serviceId,
    channel: row.channel,
    config: row.config,
    quietHours: row.quietHours,
    resourceName: row.resourceName,
  }
}

/** The silence that keeps an event back, why, and until when; `until` is null for a silence without an end. */
export type Suppression = { silenceId: string; reason: string; until: Date | null; isQuietHours: boolean }

/** An event's kind, and its service with the project and workspace above it; null for an event of an agent. */
export type SilenceableEvent = {
  kind: string
  workspaceId: string | null
  projectId: string | null
  serviceId: string | null
}

/** The channels that silences apply to. There is only one so far. */
export type PersonalChannel = 'email'

/**
 * Returns what keeps an event from being sent to a member on a channel at `at`: the first of their silences that covers it,
 * or null. `until` is the end of that silence or quiet window alone. `timezone` is the organization's, for quiet hours that
 * name no zone.
 */
export function suppressionOf(
  held: readonly HeldSilence[],
  event: SilenceableEvent,
  channel: PersonalChannel,
  at: Date,
  timezone: string,
): Suppression | null {
  const silence = held.find(
    (one) =>
      coversChannel(one, channel) &&
      coversResource(one, event) &&
      configApplies(one.config, event.kind, at) &&
      isQuietTime(one.quietHours, at, timezone),
  )
  if (!silence) return null
  const isQuietHours = silence.quietHours !== null
  const ends = [
    endOf(silence),
    isQuietHours ? closesAt(silence.quietHours as string, 'quietHours', at, timezone) : null,
  ]
  const [until = null] = ends.filter((end) => end !== null).sort((a, b) => a.getTime() - b.getTime())
  return { silenceId: silence.id, reason: isQuietHours ? 'quiet hours' : 'a silence', until, isQuietHours }
}

/** Silences and windows that follow on one another are joined this often: a longer sequence counts as one without an end. */
const JOINED_SILENCES_MAX = 64

/**
 * Returns what keeps an event from a member now, as `suppressionOf`, with the time from which no silence does: one silence
 * can begin or go on when another ends. Yields to the event loop, because a rule of quiet hours can take milliseconds.
 */
export async function silencedNow(
  held: readonly HeldSilence[],
  event: SilenceableEvent,
  channel: PersonalChannel,
  now: Date,
  timezone: string,
): Promise<Suppression | null> {
  const first = await firstSuppression(held, event, channel, now, timezone)
  let until = first?.until ?? null
  for (let joined = 0; first && until && joined < JOINED_SILENCES_MAX; joined++) {
    const next = await firstSuppression(held, event, channel, until, timezone)
    if (!next) return { ...first, until }
    until = next.until
  }
  return first && { ...first, until: null }
}

async function firstSuppression(
  held: readonly HeldSilence[],
  ...rest: [SilenceableEvent, PersonalChannel, Date, string]
): Promise<Suppression | null> {
  for (const silence of held) {
    if (shouldYield()) await yieldToEventLoop()
    const suppression = suppressionOf([silence], ...rest)
    if (suppression) return suppression
  }
  return null
}

/** Returns the end that the silence's config names, or null. */
function endOf({ config }: HeldSilence): Date | null {
  const { until } = config === null ? {} : SilenceConfig.parse(JSON.parse(config))
  return until === undefined ? null : new Date(until)
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
  return coversKind(events, kind) && (until === undefined || at.getTime() < Date.parse(until))
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
