import type { RowKey } from '#db/row-match.ts'

type Options<T> = {
  read: (row: RowKey<string>) => Promise<T>
  sizeOf: (value: T) => number
  /** How long a value is shared. */
  keepMs: number
  /** The most that values hold together. The oldest are forgotten first. */
  maxBytes: number
}

export type SharedReads<T> = {
  /** Returns what is read now or was read a moment ago. A failure is not shared with later callers. */
  get: (row: RowKey<string>) => Promise<T>
  heldBytes: () => number
}

type Held<T> = { value: Promise<T>; bytes: number }

/** Lets callers share reads of the same row, and drops each value after its time. */
export function createSharedReads<T>({ read, sizeOf, keepMs, maxBytes }: Options<T>): SharedReads<T> {
  const held = new Map<string, Held<T>>()
  let sum = 0
  const forget = (id: string, entry: Held<T>) => {
    if (held.get(id) !== entry) return
    held.delete(id)
    sum -= entry.bytes
  }
  const keep = (id: string, entry: Held<T>, bytes: number) => {
    entry.bytes = bytes
    sum += bytes
    setTimeout(forget, keepMs, id, entry).unref()
    for (const [oldest, other] of held) {
      if (sum <= maxBytes) break
      // Not those that are being read.
      if (other.bytes > 0) forget(oldest, other)
    }
  }
  return {
    get(row) {
      const { id } = row
      const known = held.get(id)
      if (known) return known.value
      const entry: Held<T> = { value: read(row), bytes: 0 }
      held.set(id, entry)
      entry.value.then(
        (value) => keep(id, entry, sizeOf(value)),
        () => forget(id, entry),
      )
      return entry.value
    },
    heldBytes: () => sum,
  }
}
