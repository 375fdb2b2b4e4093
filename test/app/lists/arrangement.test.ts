import { expect, test } from 'vitest'
import { isFiltered, parseAddress, queryOf, searchWith, unfiltered } from '#app/components/service-list/list-address.ts'
import { refreshed, sectionsOf, servicesOf } from '#app/components/service-list/sections.ts'
import type { BoardService } from '#server/schemas/status/board.ts'

// Pure parts of the lists of services: their addresses, and the order of their rows.

const ID = '0190f7c2-0000-7000-8000-000000000001'

test('an address keeps filters, order, columns, groups and page, and drops what is not valid', () => {
  const address = parseAddress({
    ...{ q: ' cart ', state: 'failing', project: ID, sort: 'p95', order: 'desc', page: '3', view: 'flat' },
    ...{ columns: 'p95,state,colour', closed: `attention,${ID}`, workspace: 'shop', label: ['critical', 'x'] },
  })
  expect(address).toEqual({
    ...{ q: 'cart', state: 'failing', projectId: ID, sort: 'p95', order: 'desc', page: 3, isFlat: true },
    ...{ columns: ['state', 'p95'], closed: ['attention', ID], label: 'critical' },
  })
  expect(parseAddress(Object.fromEntries(new URLSearchParams(searchWith(address, {}))))).toEqual(address)
  expect(queryOf(address)).toEqual({
    ...{ q: 'cart', state: 'failing', projectId: ID, sort: 'p95', order: 'desc', page: 3, label: 'critical' },
  })
  expect(parseAddress({ state: 'bad', sort: 'colour', page: '0', columns: ' ' })).toEqual({})
})

test('another filter or order begins at the first page, and another look keeps it', () => {
  const address = { q: 'cart', page: 3 }
  expect(searchWith(address, { state: 'failing' })).toBe('?q=cart&state=failing')
  expect(searchWith(address, { sort: 'name', order: 'asc' })).toBe('?q=cart&sort=name&order=asc')
  expect(searchWith(address, { closed: ['attention'] })).toBe('?q=cart&closed=attention&page=3')
  expect(searchWith({ q: 'cart' }, { q: undefined })).toBe('')
  expect(isFiltered({ sort: 'name', page: 2, columns: ['p95'] })).toBe(false)
  expect(isFiltered(address)).toBe(true)
  expect(unfiltered({ ...address, isFlat: true, columns: ['p95'], sort: 'name' })).toEqual({
    ...{ isFlat: true, columns: ['p95'], sort: 'name' },
  })
})

const cause = { key: 'a', host: 'pay.example', reason: 'status 500, expected 200', since: '2026-11-28T07:00:00Z' }
const service = (name: string, state: string, projectId: string, count = 0): BoardService =>
  ({ id: name, name, state, projectId, group: count > 0 ? { ...cause, count } : null }) as unknown as BoardService

const CART = service('Cart', 'failing', 'shop', 2)
const LOGIN = service('Login', 'failing', 'shop')
const PAY = service('Pay', 'failing', 'bank', 2)
const HOME = service('Home', 'passing', 'shop')
const NEWS = service('News', 'passing', 'bank')
const ALL = [CART, LOGIN, PAY, HOME, NEWS]

test('failures of one cause are one row, where the first of them stands', () => {
  const [attention, ...projects] = sectionsOf(ALL, 'project', true)
  expect(attention).toEqual({
    key: 'attention',
    kind: 'attention',
    blocks: [
      { kind: 'cause', cause: { ...cause, count: 2 }, services: [CART, PAY] },
      { kind: 'service', service: LOGIN },
    ],
  })
  expect(projects.map(({ key, kind }) => [key, kind])).toEqual([
    ['shop', 'project'],
    ['bank', 'project'],
  ])
  expect(sectionsOf(ALL, 'attention', true).map(({ kind }) => kind)).toEqual(['attention', 'others'])
  // A list in the order of a column is one list of single services.
  expect(servicesOf(sectionsOf(ALL, 'none', false))).toEqual(ALL)
  // The rest of the group is on another page.
  expect(sectionsOf([CART, HOME], 'project', true)[0]?.blocks).toEqual([{ kind: 'service', service: CART }])
})

test('rows that are held keep their places and take new data', () => {
  const held = sectionsOf(ALL, 'project', true)
  const recovered = { ...CART, state: 'passing' } as BoardService
  const broken = { ...HOME, state: 'failing' } as BoardService
  const now = refreshed(held, [broken, LOGIN, PAY, recovered])
  expect(servicesOf(now)).toEqual([recovered, PAY, LOGIN, broken, NEWS])
})
