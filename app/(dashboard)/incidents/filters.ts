import type { Input } from '../../client/api.ts'

// The filters of the list as they stand in the URL, under the names of the API.

/** What the list is narrowed to; a field that is absent narrows nothing. */
export type Filters = Partial<
  Pick<Input<'incidents.search'>, 'state' | 'severity' | 'assignee' | 'acknowledged' | 'q' | 'label' | 'agent' | 'sort'>
> & { serviceId?: string; projectId?: string; workspaceId?: string; since?: string; until?: string }

export const FILTERS = [
  ...['q', 'state', 'severity', 'assignee', 'acknowledged'],
  ...['serviceId', 'projectId', 'workspaceId', 'label', 'agent', 'since', 'until', 'sort'],
] as const

/** Those that stand behind "More filters". */
export const FURTHER = ['projectId', 'label', 'agent', 'since', 'until'] as const

const WORDS = {
  state: ['open', 'closed'],
  severity: ['critical', 'high', 'medium', 'low'],
  assignee: ['me', 'none'],
  acknowledged: ['true', 'false'],
  sort: ['longest'],
} as const
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const TEXT_MAX = { q: 200, label: 64, agent: 64 }

/** Reads the filters of a URL. Invalid values are left out, so that an old or mistyped link still opens the list. */
export function filtersIn(params: URLSearchParams): Filters {
  const word = <Name extends keyof typeof WORDS>(name: Name) =>
    WORDS[name].find((each): each is (typeof WORDS)[Name][number] => each === params.get(name))
  const text = (name: keyof typeof TEXT_MAX) => params.get(name)?.trim().slice(0, TEXT_MAX[name]) || undefined
  const id = (name: string) => (ID.test(params.get(name) ?? '') ? (params.get(name) ?? undefined) : undefined)
  const instant = (name: string) => {
    const at = Date.parse(params.get(name) ?? '')
    return Number.isNaN(at) ? undefined : new Date(at).toISOString()
  }
  const serviceId = id('serviceId')
  const projectId = serviceId ? undefined : id('projectId')
  const filters: { [K in keyof Filters]: Filters[K] | undefined } = {
    q: text('q'),
    state: word('state'),
    severity: word('severity'),
    assignee: word('assignee') ?? id('assignee'),
    acknowledged: word('acknowledged'),
    // The API takes one place.
    serviceId,
    projectId,
    workspaceId: serviceId || projectId ? undefined : id('workspaceId'),
    label: text('label'),
    agent: text('agent'),
    since: instant('since'),
    until: instant('until'),
    sort: word('sort'),
  }
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}

/** Returns the input of the query `incidents.search` for a URL. */
export function searchIn(params: URLSearchParams) {
  const page = /^[1-9]\d{0,4}$/.test(params.get('page') ?? '') ? Number(params.get('page')) : 1
  return { page, ...filtersIn(params) }
}

/** Whether the URL narrows the list. The order does not. */
export function isNarrowed({ sort: _, ...filters }: Filters): boolean {
  return Object.keys(filters).length > 0
}
