import type { BoardQuery } from '#server/schemas/status/board.ts'
import { SEARCH_MAX } from '#server/schemas/status/search-terms.ts'
import { SERVICE_STATES } from '#server/schemas/status/states.ts'

/** What the address of the board says: its filters, its page, and whether services are grouped by their place. */
export type BoardAddress = Partial<BoardQuery> & { isFlat?: true }

export type SearchParams = Record<string, string | string[] | undefined>

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NAME_MAX = 64

/** Parses the address. What is not valid is left out, so that an old or mistyped link still opens the board. */
export function parseAddress(params: SearchParams): BoardAddress {
  const text = (key: string) => [params[key]].flat()[0]?.trim() || undefined
  const id = (key: string) => (ID.test(text(key) ?? '') ? text(key) : undefined)
  const address: { [K in keyof BoardAddress]: BoardAddress[K] | undefined } = {
    q: text('q')?.slice(0, SEARCH_MAX),
    state: SERVICE_STATES.find((state) => state === text('state')),
    workspaceId: id('workspace'),
    projectId: id('project'),
    label: text('label')?.slice(0, NAME_MAX),
    agent: text('agent')?.slice(0, NAME_MAX),
    page: pageOf(text('page')),
    isFlat: text('view') === 'flat' || undefined,
  }
  return Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined))
}

/** Returns the board's address with changes; undefined removes a filter. A changed filter starts at the first page. */
export function addressWith(
  address: BoardAddress,
  changes: { [K in keyof BoardAddress]?: BoardAddress[K] | undefined },
): string {
  const next = { ...address, page: undefined, ...changes }
  const params = new URLSearchParams()
  const names = {
    q: 'q',
    state: 'state',
    workspaceId: 'workspace',
    projectId: 'project',
    label: 'label',
    agent: 'agent',
  }
  for (const [key, name] of Object.entries(names)) {
    const value = next[key as keyof typeof names]
    if (value) params.set(name, value)
  }
  if (next.isFlat) params.set('view', 'flat')
  if (next.page && next.page > 1) params.set('page', String(next.page))
  return params.size === 0 ? '/' : `/?${params}`
}

/** Returns the input of the query `status.board`. */
export function queryOf({ isFlat: _, ...query }: BoardAddress): Partial<BoardQuery> {
  return query
}

export function isFiltered(address: BoardAddress): boolean {
  return Object.keys(address).some((key) => key !== 'page' && key !== 'isFlat')
}

function pageOf(text: string | undefined): number | undefined {
  const page = Number(text)
  return Number.isInteger(page) && page > 1 && page <= 1_000 ? page : undefined
}
