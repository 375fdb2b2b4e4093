const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Returns for example `in 3 days`, in the largest unit that fits. Both times are milliseconds since the epoch. */
export function relativeTimeText(at: number, now: number): string {
  const seconds = (at - now) / 1000
  if (Math.abs(seconds) < 5) return 'just now'
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  // Future times are rounded, so that 6.99 days is `in 7 days`. Past times count only complete units.
  return relative.format(seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size), unit)
}
