import { Temporal } from 'temporal-polyfill'

// Derives from the written rules which agent gets which run, when, and with which status: instant by instant, with
// Temporal for the calendar. Shares no code with the program that it checks.

type Instant = Temporal.Instant

type Window = { zone: string; times: readonly { hour: number; minute: number }[]; lengthMinutes: number }

export type Plan = {
  name: string
  /** The minutes of the hour, in UTC, at which the service is due. */
  minutes: readonly number[]
  mode: 'consecutive' | 'simultaneous' | 'random'
  policy: 'skip' | 'enqueue_once'
  /** A maintenance window that opens at these local times of each day. */
  window?: Window | undefined
  /** The agents that the service names; any agent if absent. */
  agents?: readonly string[]
  /** Runs that start from the first instant on do not end before the second. */
  held?: readonly [from: Instant, to: Instant]
}

/** The outages of an agent. Agents are listed in the order of rotation. */
export type AgentLife = {
  slug: string
  /** The agent is silent from `from` on, and alive again at `to`. At `from` itself it does not count as dead yet. */
  away: readonly { from: Instant; to: Instant }[]
}

/** `agent` is an array in random mode: any of them. */
export type Expected = {
  service: string
  agent: string | readonly string[]
  slot: string
  at: string
  status: 'success' | 'skipped'
}

const MINUTE_MS = 60_000
const STALE_SECONDS = 30
const QUEUE_TIMEOUT_SECONDS = 300
/** The same for a part of a run on all agents, while another agent is alive. */
const ABSENT_SECONDS = 20

/** Returns the runs of a service that is switched on at `start`, if the workers tick at the instants `ticks` only. */
export function expectedRuns(plan: Plan, lives: readonly AgentLife[], start: Instant, ticks: readonly Instant[]) {
  const expected: Expected[] = []
  const named = lives.filter((life) => plan.agents === undefined || plan.agents.includes(life.slug))
  let next = dueAfter(plan, start)
  let last: string | null = null
  let held: Instant | null = null
  let waiting: Instant | null = null
  let left: { slot: Instant; agent: string; since: Instant }[] = []

  const note = (agent: Expected['agent'], slot: Instant, at: Instant, status: Expected['status']) =>
    expected.push({ service: plan.name, agent, slot: slot.toString(), at: at.toString(), status })
  const heard = (at: Instant) => named.filter((life) => isHeard(life, at)).map((life) => life.slug)

  const begin = (slot: Instant, at: Instant) => {
    const live = heard(at)
    const missed = plan.mode === 'simultaneous' && plan.agents ? named.filter((life) => !live.includes(life.slug)) : []
    for (const { slug } of missed) note(slug, slot, at, 'skipped')
    if (live.length === 0 && missed.length === 0) {
      if (named.length !== 1) throw new Error('the oracle supports only one agent here')
      return note(named[0]?.slug as string, slot, at, 'skipped')
    }
    for (const agent of chosen(plan, live, last)) {
      if (typeof agent === 'string') last = agent
      if (plan.held && !before(at, plan.held[0]) && before(at, plan.held[1])) held = slot
      // The agent fell silent before it could start the run.
      if (typeof agent === 'string' && named.some((life) => life.slug === agent && isAway(life, at))) {
        left.push({ slot, agent, since: at })
      } else note(agent, slot, at, 'success')
    }
  }

  for (const now of ticks) {
    if (held !== null && plan.held && !before(now, plan.held[1])) held = null
    left = left.filter((one) => {
      const age = seconds(one.since, now)
      if (age <= STALE_SECONDS) return true
      // With `simultaneous` no other agent takes the run over.
      if (plan.mode !== 'simultaneous') note(heard(now), one.slot, now, 'success')
      else if (age > (heard(now).length > 0 ? ABSENT_SECONDS : QUEUE_TIMEOUT_SECONDS))
        note(one.agent, one.slot, now, 'skipped')
      else return true
      return false
    })
    const isClosed = plan.window !== undefined && isUnderMaintenance(plan.window, now)
    const isBusy = () => held !== null || left.length > 0
    if (!before(now, next)) {
      const slot = next
      next = dueAfter(plan, now)
      if (!isClosed && !isBusy() && waiting === null) begin(slot, now)
      else if (!isClosed && plan.policy === 'enqueue_once') waiting ??= slot
    }
    if (waiting !== null && !isBusy()) {
      const slot = waiting
      waiting = null
      if (!isClosed) begin(slot, now)
    }
  }
  return expected
}

/** One agent, all agents, or an array of which any is accepted. */
function chosen(plan: Plan, live: string[], last: string | null): (string | string[])[] {
  switch (plan.mode) {
    case 'simultaneous':
      return live
    case 'random':
      return [live]
    case 'consecutive': {
      // Rotates in the order of the slugs, past the dead ones.
      const following = live.find((slug) => last !== null && slug > last)
      return [following ?? (live[0] as string)]
    }
  }
}

/** Minutes of the hour are the same in UTC and in every zone with an offset of whole hours. */
function dueAfter(plan: Plan, after: Instant): Instant {
  let minute = Math.floor(after.epochMilliseconds / MINUTE_MS)
  do minute++
  while (!plan.minutes.includes(minute % 60))
  return Temporal.Instant.fromEpochMilliseconds(minute * MINUTE_MS)
}

/** A local time that a day lacks opens no window; of a time that it has twice, the first one does. Length is elapsed time. */
function isUnderMaintenance({ zone, times, lengthMinutes }: Window, at: Instant): boolean {
  const today = at.toZonedDateTimeISO(zone).toPlainDate()
  return [-1, 0].some((days) =>
    times.some((time) => {
      const local = today.add({ days }).toPlainDateTime(time)
      const opening = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
      if (!opening.toPlainDateTime().equals(local)) return false
      const age = seconds(opening.toInstant(), at)
      return age >= 0 && age < lengthMinutes * 60
    }),
  )
}

function isAway({ away }: AgentLife, at: Instant): boolean {
  return away.some(({ from, to }) => !before(at, from) && before(at, to))
}

/** Whether the agent counts as alive: it is, or it was a moment ago. */
function isHeard(life: AgentLife, at: Instant): boolean {
  return life.away.every(({ from, to }) => before(at, from) || seconds(from, at) < STALE_SECONDS || !before(at, to))
}

function before(one: Instant, other: Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0
}

function seconds(from: Instant, to: Instant): number {
  return (to.epochMilliseconds - from.epochMilliseconds) / 1_000
}
