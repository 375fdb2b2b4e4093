import type { BoardQuery } from '#server/schemas/status/board.ts'
import { BOARD_ORDERS, BOARD_SORTS } from '#server/schemas/status/board-sorts.ts'
import { SEARCH_MAX } from '#server/schemas/status/search-terms.ts'
import { SERVICE_STATES } from '#server/schemas/status/states.ts'
import { COLUMN_KEYS, type ColumnKey } from './columns.ts'

/** What the address of a list of services says: its filters, order and page, and how it looks. */
export type ListAddress = Partial<BoardQuery> & {
  /** One list instead of a group per project. */
  isFlat?: true
  /** The chosen columns; absent for those of the page. */
  columns?: ColumnKey[]
  /** Groups that are closed, by key. */
  closed?: string[]
}

/** Changes of an address; undefined removes a part. */
export type AddressChanges = { [K in keyof ListAddress]?: ListAddress[K] | undefined }

export type SearchParams = Record<string, string | string[] | undefined>

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NAME_MAX = 64
const KEYS_MAX = 50

/** Parses an address. What is not valid is left out, so that an old or mistyped link still opens the list. */
export function parseAddress(params: SearchParams): ListAddress {
  const text = (key: string) => [params[key]].flat()[0]?.trim() || undefined
  const id = (key: string) => (ID.test(text(key) ?? '') ? text(key) : undefined)
  const keys = (key: string) => text(key)?.split(',').filter(Boolean).slice(0, KEYS_MAX)
  const columns = keys('columns')
  const address: AddressChanges = {
    q: text('q')?.slice(0, SEARCH_MAX),
    state: SERVICE_STATES.find((state) => state === text('state')),
    workspaceId: id('workspace'),
    projectId: id('project'),
    label: text('label')?.slice(0, NAME_MAX),
    agent: text('agent')?.slice(0, NAME_MAX),
    sort: BOARD_SORTS.find((sort) => sort === text('sort')),
    order: BOARD_ORDERS.find((order) => order === text('order')),
    page: pageOf(text('page')),
    isFlat: text('view') === 'flat' || undefined,
    columns: columns && COLUMN_KEYS.filter((key) => columns.includes(key)),
    closed: keys('closed'),
  }
  return Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined))
}

/** The parameters of an address, in the order in which they are written. */
const TEXTS = {
  q: 'q',
  state: 'state',
  workspaceId: 'workspace',
  projectId: 'project',
  label: 'label',
  agent: 'agent',
  sort: 'sort',
  order: 'order',
} as const
const LISTS = { columns: 'columns', closed: 'closed' } as const

/** What only changes how the page looks, and keeps the page of the list. */
const LOOKS = new Set(['columns', 'closed', 'isFlat'])

/** Returns the search of the URL with changes, such as `?q=cart`, or nothing. A changed filter starts at the first page. */
export function searchWith(address: ListAddress, changes: AddressChanges): string {
  const keepsPage = Object.keys(changes).every((key) => LOOKS.has(key))
  const next = { ...address, ...(keepsPage ? {} : { page: undefined }), ...changes }
  const params = new URLSearchParams()
  for (const [key, name] of Object.entries(TEXTS)) {
    const value = next[key as keyof typeof TEXTS]
    if (value) params.set(name, value)
  }
  if (next.isFlat) params.set('view', 'flat')
  for (const [key, name] of Object.entries(LISTS)) {
    const value = next[key as keyof typeof LISTS]
    if (value && value.length > 0) params.set(name, value.join(','))
  }
  if (next.page && next.page > 1) params.set('page', String(next.page))
  return params.size === 0 ? '' : `?${params}`
}

/** The address of the board with changes. */
export function boardHref(address: ListAddress, changes: AddressChanges): string {
  return `/${searchWith(address, changes)}`
}

/** Returns the input of the query `status.board`. */
export function queryOf({ isFlat: _, columns: __, closed: ___, ...query }: ListAddress) {
  return query
}

const NO_FILTERS = new Set(['page', 'isFlat', 'columns', 'closed', 'sort', 'order'])

export function isFiltered(address: ListAddress): boolean {
  return Object.keys(address).some((key) => !NO_FILTERS.has(key))
}

/** Returns the address without its filters, in the same looks. */
export function unfiltered(address: ListAddress): ListAddress {
  return Object.fromEntries(Object.entries(address).filter(([key]) => key !== 'page' && NO_FILTERS.has(key)))
}

function pageOf(text: string | undefined): number | undefined {
  const page = Number(text)
  return Number.isInteger(page) && page > 1 && page <= 1_000 ? page : undefined
}
