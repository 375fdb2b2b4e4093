/** The value of a label for everything past the bound. */
export const OTHER = 'other'

/**
 * Returns a mapping: the first `max` distinct values stay, later ones become `other`, so that users cannot create
 * unbounded series.
 */
export function boundedLabel(max: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= max) return OTHER
    known.add(value)
    return value
  }
}
