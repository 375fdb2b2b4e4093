import type { AgentHistory } from '#server/schemas/agents.ts'

/** A UTC day of an agent. Null where nothing is known. */
export type AgentDay = {
  start: string
  /** Percentage of the day in which a process was running; null before the first recorded hour. */
  alive: number | null
  slots: number | null
  busy: number | null
  latenessMs: number | null
  runs: number | null
}

const DAY_MS = 86_400_000

/** Returns the days of the window from its first full one to today, each with the maxima of its hours. */
export function daysOf({ since, until, hours }: AgentHistory): AgentDay[] {
  const end = Date.parse(until)
  const first = Math.ceil(Date.parse(since) / DAY_MS) * DAY_MS
  const recordedFrom = Date.parse(hours[0]?.hour ?? until)
  const days: AgentDay[] = []
  for (let start = first; start < end; start += DAY_MS) {
    const own = hours.filter(({ hour }) => Date.parse(hour) >= start && Date.parse(hour) < start + DAY_MS)
    const seconds = (Math.min(end, start + DAY_MS) - Math.max(start, recordedFrom)) / 1_000
    const aliveSeconds = own.reduce((sum, hour) => sum + hour.aliveSeconds, 0)
    days.push({
      start: new Date(start).toISOString(),
      alive: seconds > 0 ? Math.min(100, (100 * aliveSeconds) / seconds) : null,
      slots: maxOf(own.map((hour) => hour.slots)),
      busy: maxOf(own.map((hour) => hour.busyMax)),
      latenessMs: maxOf(own.map((hour) => hour.latenessMaxMs)),
      runs: own.some((hour) => hour.runs === null) ? null : own.reduce((sum, hour) => sum + (hour.runs ?? 0), 0),
    })
  }
  return days
}

function maxOf(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length > 0 ? Math.max(...known) : null
}
