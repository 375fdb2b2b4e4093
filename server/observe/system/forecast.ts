export type Sample = { day: string; databaseBytes: number }
export type Forecast = { bytesPerDay: number; in30Days: number; in90Days: number }

const DAY_MS = 86_400_000
const SAMPLES_MIN = 3

/**
 * Returns the growth of the database by the least-squares line through the samples, oldest first, and its size 30 and 90
 * days after the last one. Null for fewer than three samples.
 */
export function forecastOf(samples: Sample[]): Forecast | null {
  const last = samples.at(-1)
  if (!last || samples.length < SAMPLES_MIN) return null
  const points = samples.map(({ day, databaseBytes }) => ({ x: Date.parse(day) / DAY_MS, y: databaseBytes }))
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  const slope =
    points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) /
    points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  const after = (days: number) => Math.max(0, Math.round(last.databaseBytes + slope * days))
  return { bytesPerDay: Math.round(slope), in30Days: after(30), in90Days: after(90) }
}
