import { InvalidArgumentError } from 'commander'
import { durationText } from '../../schemas/duration-text.ts'

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** Parses `90s`, `10m` or `1h` into milliseconds. @throws InvalidArgumentError */
export function parseDuration(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? []
  const ms = Number(number) * (UNITS[unit] ?? 0)
  if (ms === 0) throw new InvalidArgumentError('Write a duration such as 90s, 10m or 1h.')
  return ms
}

/** Returns a duration as people read it: `420 ms`, `3.2 s`, `2 min 5 s`. */
export function showDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : durationText(ms)
}
