import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { type HeldSilence, silencedNow } from '#server/alerts/alerts/silencing.ts'

const EVENT = { kind: 'service.failed', workspaceId: 'w', projectId: 'p', serviceId: 's' }
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** The days of 2026 on which clocks change; on Lord Howe Island by half an hour. */
const SWITCHES = [
  { zone: 'Europe/Berlin', day: '2026-03-29', change: 60 },
  { zone: 'Europe/Berlin', day: '2026-10-25', change: -60 },
  { zone: 'America/New_York', day: '2026-03-08', change: 60 },
  { zone: 'America/New_York', day: '2026-11-01', change: -60 },
  { zone: 'Australia/Lord_Howe', day: '2026-04-05', change: -30 },
  { zone: 'Australia/Lord_Howe', day: '2026-10-04', change: 30 },
]

/** Local times at which windows open, on all days or on some, and for how many minutes. */
type Window = { hours: number[]; minutes?: number[]; days?: string[]; length: number }
const WINDOWS: Window[] = [
  { hours: [22], length: 480 },
  { hours: [0], length: 60 },
  // The local times around the change, some of which do not exist or exist twice.
  { hours: [1], length: 60 },
  { hours: [1], minutes: [30], length: 90 },
  { hours: [1, 2, 3], length: 20 },
  { hours: [2], minutes: [0, 15, 30, 45], length: 15 },
  { hours: [1, 2], minutes: [15, 45], length: 40 },
  { hours: [2], minutes: [15], length: 1_000 },
  // Windows that join, by touching or overlapping.
  { hours: [22, 23, 0, 1, 2, 3, 4, 5], length: 60 },
  { hours: [0, 6, 12], length: 370 },
  { hours: [2], length: 1_440 },
  { hours: [3], length: 1_439 },
  { hours: [20], days: ['FR', 'SA'], length: 1_440 },
  { hours: [0], days: ['SU'], length: 1_500 },
  { hours: [2], minutes: [30], days: ['SU', 'MO'], length: 45 },
]

function ruleOf({ hours, minutes = [0], days, length }: Window): string {
  const onDays = days ? `FREQ=WEEKLY;BYDAY=${days.join(',')}` : 'FREQ=DAILY'
  return `${onDays};BYHOUR=${hours.join(',')};BYMINUTE=${minutes.join(',')}/${length}`
}

type Span = { from: number; to: number; windows: number }

/** The oracle: the spans in which a window is open, in 100 days around `day`, by Temporal's calendar. */
function openSpans({ hours, minutes = [0], days, length }: Window, day: string, zone: string): Span[] {
  const opened: number[] = []
  for (let offset = -50; offset <= 50; offset++) {
    const date = Temporal.PlainDate.from(day).add({ days: offset })
    if (days && !days.includes(DAYS[date.dayOfWeek % 7] as string)) continue
    for (const hour of hours) {
      for (const minute of minutes) {
        const local = date.toPlainDateTime({ hour, minute })
        // Of two instants with this local time the first counts; a local time that is skipped does not occur.
        const zoned = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
        if (zoned.toPlainDateTime().equals(local)) opened.push(zoned.epochMilliseconds)
      }
    }
  }
  const spans: Span[] = []
  for (const from of opened.sort((a, b) => a - b)) {
    const to = from + length * 60_000
    const last = spans.at(-1)
    if (last && from <= last.to) Object.assign(last, { to, windows: last.windows + 1 })
    else spans.push({ from, to, windows: 1 })
  }
  return spans
}

/**
 * The instants to ask: both sides of every edge in three days, and so often between them that a window that is not planned
 * would be met. Where one span has no edge in these days, every eighth hour.
 */
function instantsAround(day: string, zone: string, spans: Span[], length: number): number[] {
  const midnight = Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds
  const [from, to] = [midnight - 86_400_000, midnight + 2 * 86_400_000]
  const edges = spans.flatMap((span) => [span.from - 1, span.from, span.to - 1, span.to])
  const near = edges.filter((edge) => edge >= from && edge < to)
  const step = near.length > 0 ? Math.min(length, 120) * 60_000 : 28_800_000
  const ticks = Array.from({ length: Math.floor((to - from) / step) }, (_, i) => from + i * step)
  return [...ticks, ...near]
}

function silence(given: Partial<HeldSilence>): HeldSilence {
  const everything = { workspaceId: null, projectId: null, serviceId: null }
  return { id: 'silence', channel: 'quiet-hours', config: null, quietHours: null, ...everything, ...given }
}

const ask = (held: HeldSilence[], at: number, timezone: string) =>
  silencedNow(held, EVENT, 'email', new Date(at), timezone)

describe.each(SWITCHES)('quiet hours in $zone around $day', ({ zone, day, change }) => {
  test('the clocks change on this day', () => {
    const minutes = Temporal.PlainDate.from(day).toZonedDateTime(zone).hoursInDay * 60
    expect(minutes).toBe(1_440 - change)
  })

  test.each(WINDOWS.map((window) => ({ window, rule: ruleOf(window) })))('$rule', async ({ window, rule }) => {
    const spans = openSpans(window, day, zone)
    // The horizon of the oracle ends before these do.
    const endless = (span: Span) => span.to > (spans.at(-1)?.to ?? 0) - 86_400_000
    const wrong: object[] = []
    for (const [i, at] of instantsAround(day, zone, spans, window.length).entries()) {
      const span = spans.find(({ from, to }) => from <= at && at < to)
      const until = span && !endless(span) ? new Date(span.to) : null
      const expected = span ? { silenceId: 'silence', reason: 'quiet hours', until, isQuietHours: true } : null
      // In the silence's own zone, or in the organization's.
      const found =
        i % 2 === 0
          ? await ask([silence({ quietHours: `${rule}/${zone}` })], at, 'Asia/Tokyo')
          : await ask([silence({ quietHours: rule })], at, zone)
      if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push({ at: new Date(at), found, expected })
    }
    expect(wrong.slice(0, 3)).toEqual([])
  })

  test('end at the silence’s own end if that is earlier, and leave the event to other silences', async () => {
    const night: Window = { hours: [22], length: 480 }
    const spans = openSpans(night, day, zone)
    const [span] = spans.filter(({ to }) => to > Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds)
    const { from, to } = span as Span
    const quietHours = `${ruleOf(night)}/${zone}`
    const inside = from + 3_600_000
    for (const end of [inside + 1, to - 1, to, to + 1]) {
      const config = JSON.stringify({ until: new Date(end).toISOString() })
      const first = silence({ id: 'first', quietHours, config })
      const second = silence({ id: 'second', channel: 'all', config: '{"events":["service.recovered"]}' })
      const third = silence({ id: 'third', channel: 'email', projectId: 'p' })
      const until = new Date(Math.min(end, to))
      expect(await ask([first], inside, zone)).toMatchObject({ silenceId: 'first', until, isQuietHours: true })
      expect(await ask([first], until.getTime(), zone)).toBe(null)
      expect(await ask([second, third, first], inside, zone)).toMatchObject({
        ...{ silenceId: 'third', reason: 'a silence', until: null, isQuietHours: false },
      })
      expect(await ask([second, first], to, zone)).toBe(null)
    }
  })
})

test('windows that join more often than anyone plans count as quiet hours without an end', async () => {
  const at = Date.parse('2026-06-03T12:00:00Z')
  const hourly = (length: number) => silence({ quietHours: `FREQ=HOURLY/${length}/UTC` })
  expect(await ask([hourly(60)], at, 'UTC')).toMatchObject({ until: null })
  expect(await ask([hourly(59)], at, 'UTC')).toMatchObject({ until: new Date(at + 59 * 60_000) })
  expect(await ask([silence({ quietHours: `FREQ=HOURLY;UNTIL=20260603T150000Z/60/UTC` })], at, 'UTC')).toMatchObject({
    until: new Date('2026-06-03T16:00:00Z'),
  })
})
