/** `840 ms`, `1.25 s`, `2 min 5 s`; a dash for what is not known. */
export function millisecondsText(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–'
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(2)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`
}

/** `99.95 %`, never rounded up to a full hundred; a dash while there is nothing to divide by. */
export function percentText(part: number, whole: number): string {
  if (whole === 0) return '–'
  if (part === whole) return '100 %'
  return `${(Math.floor((part / whole) * 10_000) / 100).toLocaleString('en')} %`
}

/** `12.3 KiB`. */
export function bytesText(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return '–'
  if (bytes < 1_024) return `${bytes} B`
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(1)} KiB`
  return `${(bytes / 1_048_576).toFixed(1)} MiB`
}
