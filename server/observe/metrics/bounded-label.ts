import { oncePerProcess } from '../../process/once-per-process.ts'

/** The value of a label for everything past the bound. */
export const OTHER = 'other'

/**
 * Returns a mapping: the first `max` distinct values of `name` in the process stay, later ones become `other`, so that users
 * cannot create unbounded series.
 */
export function boundedLabel(name: string, max: number): (value: string) => string {
  return (value) => {
    const known = oncePerProcess(`label ${name}`, () => new Set<string>())
    if (known.has(value)) return value
    if (known.size >= max) return OTHER
    known.add(value)
    return value
  }
}
