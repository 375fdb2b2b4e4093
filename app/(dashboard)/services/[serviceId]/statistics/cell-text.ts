export const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Returns for example `Mon 14:00–15:00` for ISO weekday 1 and hour 14. */
export function cellText(weekday: number, hour: number): string {
  const clock = (of: number) => `${String(of).padStart(2, '0')}:00`
  return `${DAYS[weekday - 1]} ${clock(hour)}–${clock((hour + 1) % 24)}`
}
