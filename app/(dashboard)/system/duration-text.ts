/** Returns for example `45 s`, `12 min`, `3 h` or `2 days`. */
export function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds}\u00a0s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)}\u00a0min`
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)}\u00a0h`
  return `${Math.round(seconds / 86_400)}\u00a0days`
}
