const PER_HOUR = [30, 20, 15, 12, 10, 6, 5, 4, 3, 2, 1]
const PER_DAY = [12, 8, 6, 4, 3, 2, 1]

/** Returns the cron expression for an interval in seconds, or for the next shorter interval that cron has. */
export function everySeconds(seconds: number): { schedule: string; isExact: boolean } {
  const minutes = Math.max(1, seconds / 60)
  if (minutes < 60) {
    const step = PER_HOUR.find((one) => one <= minutes) ?? 1
    return { schedule: step === 1 ? '* * * * *' : `*/${step} * * * *`, isExact: step * 60 === seconds }
  }
  const hours = minutes / 60
  if (hours >= 24) return { schedule: '0 0 * * *', isExact: hours === 24 }
  const step = PER_DAY.find((one) => one <= hours) ?? 1
  return { schedule: step === 1 ? '0 * * * *' : `0 */${step} * * *`, isExact: step * 3_600 === seconds }
}

/** Returns the seconds of a duration such as `90s`, `1m30s` or `24h`; null for any other text. */
export function secondsOf(duration: string): number | null {
  const units: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 }
  const parts = [...duration.trim().matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)]
  if (parts.map(([part]) => part).join('') !== duration.trim() || parts.length === 0) return null
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit as string] as number), 0)
}
