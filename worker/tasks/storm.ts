import { MINUTE_MS } from '#server/durations.ts'

// How long the messages about a project wait for each other, so that a storm gives a digest instead of many mails.

/** If more services of one project change within a minute, their recipients get a digest instead of a mail for each. */
export const SINGLE_MAILS_MAX = 10

/** Up to this many services are mailed after a pause. More are likely to become a storm: they wait for a minute. */
const PAUSED_SERVICES_MAX = 5

/** For how long a change by itself waits for others. */
export const FIRST_WAIT_MS = 1_000

/** A storm that begins is mailed after a pause without changes, at the latest after the maximum. */
const FIRST_PAUSE_MS = 1_000
const FIRST_MAX_MS = 10_000

/** The same for changes within the minute after a mail about another service of the project. */
const PAUSE_MS = 10_000
const MAX_MS = MINUTE_MS

/** The workers are given this long to store the messages of changes that are stored already. */
const NOTIFY_MAX_MS = 10_000

/** A service had an event at a time, in milliseconds since 1970. */
export type Change = { serviceId: string; at: number }

/** The messages that wait for a mail to a member about a project. Times are in milliseconds since 1970. */
export type Gathered = {
  /** The time of the first event that waits, and when its message was stored. */
  since: number
  storedAt: number
  /** The changes of the project from a minute before `since` on, by time. */
  changes: readonly Change[]
  /** Whether the member was mailed about another service of the project in the minute before `since`, or later. */
  isFollowing: boolean
  /** Whether messages of `changes` are still to be stored. */
  isIncomplete: boolean
}

/** The decision on gathered messages: mails about the first service, about each, or one about all; or wait. */
export type Decision = 'first' | 'each' | 'digest' | { waitUntil: number }

export function decide(gathered: Gathered, now: number): Decision {
  const { since, storedAt, changes, isFollowing, isIncomplete } = gathered
  const services = mostServicesInMinute(changes)
  const isStorm = services > SINGLE_MAILS_MAX
  if (isStorm && isIncomplete && now < storedAt + NOTIFY_MAX_MS) return { waitUntil: now + FIRST_PAUSE_MS }
  const last = changes.at(-1)?.at ?? since
  const dueAt = isFollowing
    ? Math.min(services > PAUSED_SERVICES_MAX && !isStorm ? Infinity : last + PAUSE_MS, since + MAX_MS)
    : isStorm
      ? Math.min(last + FIRST_PAUSE_MS, since + FIRST_MAX_MS)
      : since + FIRST_WAIT_MS
  if (now < dueAt) return { waitUntil: dueAt }
  if (isStorm) return 'digest'
  return isFollowing ? 'each' : 'first'
}

/** Returns the most services that changed within a minute. `changes` are ordered by time. */
export function mostServicesInMinute(changes: readonly Change[]): number {
  const counts = new Map<string, number>()
  let most = 0
  let start = 0
  for (const { serviceId, at } of changes) {
    counts.set(serviceId, (counts.get(serviceId) ?? 0) + 1)
    for (; (changes[start] as Change).at <= at - MINUTE_MS; start++) {
      const { serviceId: left } = changes[start] as Change
      const count = (counts.get(left) as number) - 1
      if (count === 0) counts.delete(left)
      else counts.set(left, count)
    }
    most = Math.max(most, counts.size)
  }
  return most
}
