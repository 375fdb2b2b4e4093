import { useRef } from 'react'

/**
 * Returns the rows of a list. While it is frozen, they keep their order, none comes or goes, and each shows what is known of
 * it: rows must not move under the hand that selects them.
 */
export function useFrozenRows<Row extends { id: string }>(rows: Row[], isFrozen: boolean): Row[] {
  const kept = useRef(rows)
  const latest = new Map(rows.map((row) => [row.id, row]))
  kept.current = isFrozen ? kept.current.map((row) => latest.get(row.id) ?? row) : rows
  return kept.current
}
