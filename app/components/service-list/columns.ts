import type { BoardOrder, BoardSort } from '#server/schemas/status/board-sorts.ts'

/** A column beside the name. `width` is in pixels; the name takes the rest. */
export type Column = {
  /** In the header. */
  title: string
  /** In the list of columns, where there is room for the whole name. */
  name: string
  width: number
  isNumber?: true
  /** What the server sorts by, and the order of the first click. */
  sort?: BoardSort
  first?: BoardOrder
}

export const COLUMNS = {
  state: { title: 'State', name: 'State', width: 180, sort: 'state' },
  runs: { title: 'Latest runs', name: 'Latest runs', width: 170 },
  uptime24h: { title: '24 h', name: 'Uptime, 24 hours', width: 82, isNumber: true, sort: 'uptime24h' },
  uptime7d: { title: '7 d', name: 'Uptime, 7 days', width: 82, isNumber: true, sort: 'uptime7d' },
  p95: { title: 'p95', name: 'p95, 24 hours', width: 82, isNumber: true, sort: 'p95', first: 'desc' },
  trend: { title: 'p95 by hour', name: 'p95 by hour', width: 116 },
  lastRun: { title: 'Last run', name: 'Last run', width: 128, sort: 'lastRun', first: 'desc' },
  target: { title: 'Target', name: 'Target', width: 220 },
  agents: { title: 'Agents', name: 'Agents', width: 120 },
  schedule: { title: 'Schedule', name: 'Schedule', width: 136, sort: 'schedule' },
  on: { title: 'On', name: 'Switched on', width: 62 },
} satisfies Record<string, Column>

export type ColumnKey = keyof typeof COLUMNS

export const COLUMN_KEYS = Object.keys(COLUMNS) as ColumnKey[]

/** The columns of a list whose address names none. They fit a window of 1,280 pixels, so that the head stays in sight. */
export const BOARD_COLUMNS: readonly ColumnKey[] = ['state', 'runs', 'uptime24h', 'uptime7d', 'p95']
export const PROJECT_COLUMNS: readonly ColumnKey[] = ['state', 'runs', 'uptime24h', 'p95', 'schedule', 'on']

/** The narrowest table with these columns, in pixels: 260 for the name and its box. */
export function tableWidth(columns: readonly ColumnKey[]): number {
  return 260 + columns.reduce((sum, key) => sum + COLUMNS[key].width, 0)
}
