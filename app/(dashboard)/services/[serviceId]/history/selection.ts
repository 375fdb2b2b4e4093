import { isSpan, RANGE_NAMES, type Range, type Span } from '#server/schemas/results/ranges.ts'
import type { WeekCell } from '#server/schemas/results/results.ts'
import type { Window } from '#server/schemas/statistics.ts'
import { statusLabel } from '#server/schemas/status/status-text.ts'

// The range of the charts and the filters of the results, as they stand in the URL.

export const RANGE_DEFAULT: Range = '24h'
/** The days of the heatmap. */
export const WEEK_DAYS = 90

/** The statuses that the list filters by. */
export const STATUS_LABELS = {
  failed: 'Failed or timed out',
  failure: statusLabel('failure'),
  timeout: statusLabel('timeout'),
  success: statusLabel('success'),
  skipped: statusLabel('skipped'),
} as const

type Status = keyof typeof STATUS_LABELS

/** The names of the filters in the URL, in the order in which links write them. */
export const FILTERS = ['status', 'agent', 'version', 'since', 'until', 'cell'] as const

export type Filters = {
  status?: Status
  agent?: string
  version?: number
  since?: string
  until?: string
  cell?: WeekCell
}

export function rangeIn(params: URLSearchParams): Range {
  return RANGE_NAMES.find((range) => range === params.get('range')) ?? RANGE_DEFAULT
}

/** Returns the part of the range that the charts are zoomed to: two instants with a slash between them. */
export function zoomIn(params: URLSearchParams): Span | null {
  const [since, until, ...more] = (params.get('zoom') ?? '').split('/').map(instantOf)
  return since && until && more.length === 0 && isSpan({ since, until }) ? { since, until } : null
}

/** Returns what the charts of a URL show: its range, or the part of it. */
export function chartIn(params: URLSearchParams, zone: string): { range: Range; zone: string } & Partial<Span> {
  return { range: rangeIn(params), zone, ...zoomIn(params) }
}

/** Returns the window of the endpoints and assertions, which are counted by the hour; null for a shorter range. */
export function windowOf(range: Range): Window | null {
  return range === '1h' || range === '6h' ? null : range
}

/** Reads the filters of a URL. Invalid values are ignored. `cell` is weekday and hour, such as `1-14`. */
export function filtersIn(params: URLSearchParams, zone: string): Filters {
  const status = params.get('status')
  const agent = params.get('agent')
  const version = params.get('version')
  const cell = /^([1-7])-(\d{1,2})$/.exec(params.get('cell') ?? '')
  const hour = Number(cell?.[2])
  return {
    ...(status !== null && status in STATUS_LABELS && { status: status as Status }),
    ...(agent && { agent: agent.slice(0, 64) }),
    ...(version !== null && /^[1-9]\d{0,8}$/.test(version) && { version: Number(version) }),
    ...instantIn(params, 'since'),
    ...instantIn(params, 'until'),
    ...(cell && hour < 24 && { cell: { weekday: Number(cell[1]), hour, days: WEEK_DAYS, zone } }),
  }
}

/**
 * Returns the filters of a URL as the end of a link: empty, or a question mark with the parameters. `more` holds further
 * parameters.
 */
export function filterQuery(params: URLSearchParams, more: Record<string, string> = {}): string {
  const kept = FILTERS.flatMap((name) => {
    const value = params.get(name)
    return value ? [[name, value] as [string, string]] : []
  })
  const all = new URLSearchParams([...kept, ...Object.entries(more)])
  return all.size === 0 ? '' : `?${all}`
}

function instantIn(params: URLSearchParams, name: 'since' | 'until'): { [K in typeof name]?: string } {
  const instant = instantOf(params.get(name))
  return instant ? { [name]: instant } : {}
}

/** Returns an instant of a URL in its one form; null for another text. */
function instantOf(value: string | null): string | null {
  if (!value || !/^\d{4}-\d\d-\d\dT/.test(value) || Number.isNaN(Date.parse(value))) return null
  return new Date(value).toISOString()
}
