/** The columns between the one where a selection began and the one where it ends. */
export type Selection = { anchor: number; end: number }

/** Returns the first and the last column. */
export function spanOf({ anchor, end }: Selection): [first: number, last: number] {
  return [Math.min(anchor, end), Math.max(anchor, end)]
}
