import { createHash } from 'node:crypto'

/**
 * Draws one member of a family. The first member is the input as it was found; the others vary around it, the same ones
 * in every run.
 */
export type Variation = {
  /** `found`, or a whole number from `min` to `max`. */
  integer: (found: number, min: number, max: number) => number
  /** The first of the list, or any of it. */
  pick: <T>(list: readonly [T, ...T[]]) => T
  /** The list, or some of it, at least one. */
  some: <T>(list: readonly T[]) => T[]
  /** A text that no other member has. */
  unique: () => string
}

/** The member of the family `name` with this index; 0 is the input as it was found. */
export function variationOf(name: string, member: number): Variation {
  let drawn = 0
  const fraction = () =>
    createHash('sha256').update(`${name}\0${member}\0${drawn++}`).digest().readUInt32BE() / 0x1_0000_0000
  const isFound = member === 0
  return {
    integer: (found, min, max) => (isFound ? found : min + Math.floor(fraction() * (max - min + 1))),
    pick: (list) => (isFound ? list[0] : (list[Math.floor(fraction() * list.length)] ?? list[0])),
    some(list) {
      if (isFound) return [...list]
      const kept = list.filter(() => fraction() < 0.5)
      return kept.length > 0 ? kept : list.slice(0, 1)
    },
    unique: () => createHash('sha256').update(`${name}\0${member}\0${drawn++}`).digest('hex').slice(0, 12),
  }
}
