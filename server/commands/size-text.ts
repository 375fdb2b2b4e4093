const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** Returns for example `1.5 MB`, in units of 1,024. */
export function sizeText(bytes: number): string {
  const step = bytes > 0 ? Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(1024))) : 0
  const value = bytes / 1024 ** step
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]}`
}
