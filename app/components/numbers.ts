// A no-break space keeps a number and its unit on one line.

/** Returns for example `840 ms`, `1.25 s` or `2 min 5 s`, and a dash for an unknown duration. */
export function millisecondsText(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–'
  if (ms < 10) return `${Math.round(ms * 10) / 10}\u00a0ms`
  if (ms < 1_000) return `${Math.round(ms)}\u00a0ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(2)}\u00a0s`
  return `${Math.floor(ms / 60_000)}\u00a0min ${Math.round((ms % 60_000) / 1_000)}\u00a0s`
}

/** `millisecondsText` for the response time of a whole run, which is 0 if no call received a response. */
export function responseTimeText(ms: number | null | undefined): string {
  return millisecondsText(ms === 0 ? null : ms)
}

/** Returns for example `99.9 %`, rounded down, so that only a full share is 100 %. A dash if `whole` is 0. */
export function percentText(part: number, whole: number): string {
  if (whole === 0) return '–'
  if (part === whole) return '100\u00a0%'
  return `${(Math.floor((part / whole) * 1_000) / 10).toLocaleString('en')}\u00a0%`
}

/** Returns for example `99.98 %`, rounded down, so that only a full share is 100 %. */
export function uptimeText(percent: number | null): string {
  if (percent === null) return '–'
  return `${(Math.floor(percent * 100) / 100).toLocaleString('en')}\u00a0%`
}

/** Returns for example `0.5 %` for 0.48. */
export function roundedPercentText(percent: number): string {
  return `${percent.toLocaleString('en', { maximumFractionDigits: 1 })}\u00a0%`
}

/** Returns for example `12.3 KiB`, and a dash for an unknown size. */
export function bytesText(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return '–'
  if (bytes < 1_024) return `${bytes}\u00a0B`
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(1)}\u00a0KiB`
  if (bytes < 1_073_741_824) return `${(bytes / 1_048_576).toFixed(1)}\u00a0MiB`
  return `${(bytes / 1_073_741_824).toFixed(1)}\u00a0GiB`
}
