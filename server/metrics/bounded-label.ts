/** The value of a label for everything past the bound. */
export const OTHER = 'other'

/**
 * Returns a function that returns the first `max` different values as they are, and `other` for all later ones, so that
 * what users create cannot make a process hold any number of series.
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
