import { createHash } from 'node:crypto'

/**
 * Draws one member of a family of inputs. The first member is the original input. The others are variations, and the
 * same in every test run.
 */
export type Variation = {
  /** Returns `found`, or an integer from `min` to `max`. */
  integer: (found: number, min: number, max: number) => number
  /** Returns the first item, or any item. */
  pick: <T>(list: readonly [T, ...T[]]) => T
  /** Returns all items, or at least one of them. */
  some: <T>(list: readonly T[]) => T[]
  /** Returns a string that no other member has. */
  unique: () => string
}

/** Returns the variation with this index in the family `name`; 0 is the original input. */
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
