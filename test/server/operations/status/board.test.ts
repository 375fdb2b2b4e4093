import { globSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { serviceAgents, type services, workspaces } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { HOUR_MS, MINUTE_MS } from '#server/durations.ts'
import { parseScript } from '#server/language/lace/parser.ts'
import type { Board, BoardService } from '#server/schemas/status/board.ts'
import { BOARD_SORTS } from '#server/schemas/status/board-sorts.ts'
import { testDashboard, testOrganization } from '#test/support/browser/dashboard.ts'
import type { ProjectRow } from '#test/support/factories.ts'
import { addHour, setState } from '#test/support/runs/results.ts'

// What the list of services shows, finds and is sorted by. Its states and counts are in status.test.ts.

const t = testDashboard()
const acme = testOrganization(t)
const NOW = new Date('2026-11-20T12:30:00Z')
const ago = (ms: number) => new Date(NOW.getTime() - ms)
let project: ProjectRow

type StateRow = typeof serviceStates.$inferSelect

beforeEach(async () => {
  t.clock.now = NOW
  await t.db.delete(serviceStates)
  await t.db.delete(workspaces)
  project = await t.create.project(await t.create.workspace(acme, { name: 'Depot' }), { name: 'Web' })
})

async function board(input: object = {}): Promise<Board> {
  const { data, text, status } = await acme.visitor.get<Board>('status.board', input)
  expect(status, text).toBe(200)
  return data
}

const names = async (input: object) => (await board(input)).services.map(({ name }) => name)

async function service(given: Partial<typeof services.$inferInsert>, state: Partial<StateRow> = {}) {
  const row = await t.create.service(project, { script: '', isActive: true, ...given })
  const passing = { lastStatus: 'success' as const, lastStatusSince: ago(HOUR_MS), lastRunAt: ago(MINUTE_MS) }
  await setState(t.db, row, { ...passing, ...state })
  return row
}

const failing = (minutes: number, summary: string): Partial<StateRow> => {
  const since = ago(minutes * MINUTE_MS)
  return { lastStatus: 'failure', lastStatusSince: since, failingSince: since, lastFailure: { summary } }
}

const CART = `// get("https://comment.example/")
post("$o.base/cart?x=1", { body: "get(\\"https://string.example/\\")" }).expect(status: 200)
get("https://api.example/items").expect(status: 200)`

test('a row has the labels, the target, the agents and the schedule of its service', async () => {
  const cart = await service({ name: 'Cart', labels: ['critical', 'eu'], script: CART, schedule: '*/5 * * * *' })
  const eu = await t.create.agent({ slug: 'b-agent' })
  const us = await t.create.agent({ slug: 'a-agent' })
  for (const { id } of [eu, us]) {
    await t.db.insert(serviceAgents).values({ serviceId: cart.id, organizationId: acme.id, agentId: id })
  }
  await service({ name: 'Plain', script: 'get("https://shop.example/").expect(status: 200)' })
  await t.create.service(project, { name: 'Without' })
  const [first, second, third] = (await board({ sort: 'name' })).services
  const target = { method: 'POST', url: '$o.base/cart?x=1', host: null, path: '/cart', steps: 2 }
  expect(first).toMatchObject({ labels: ['critical', 'eu'], label: 'critical', agents: ['a-agent', 'b-agent'], target })
  expect(second?.target).toMatchObject({ method: 'GET', host: 'shop.example', path: '/', steps: 1 })
  expect(third).toMatchObject({ target: null, agents: [], labels: [] })
  const one = await acme.visitor.get<BoardService>('status.service', { id: cart.id })
  expect(one.data).toMatchObject({ target, agents: ['a-agent', 'b-agent'], group: null })
})

test('a row says whether the member may change its service', async () => {
  const mine = await service({ name: 'Mine' })
  await service({ name: 'Other' })
  const grants = [
    { projectId: project.id, level: 1 as const },
    { serviceId: mine.id, level: 2 as const },
  ]
  const member = await t.signIn(await t.create.member(acme, { grants }))
  const { data } = await member.get<Board>('status.board', { sort: 'name' })
  expect(data.services.map(({ name, mayWrite }) => [name, mayWrite])).toEqual([
    ['Mine', true],
    ['Other', false],
  ])
  expect((await board()).services.every(({ mayWrite }) => mayWrite)).toBe(true)
})

test('the search finds names, labels, URLs as written and hosts, also by terms', async () => {
  await service({
    name: 'Cart',
    labels: ['eu', 'Critical'],
    script: CART,
    targetHosts: ['shop.example', 'api.example'],
  })
  await service({ name: 'Search', labels: ['us'], script: 'get("https://Search.example/Query").expect(status: 200)' })
  expect(await names({ q: 'critical' })).toEqual(['Cart'])
  expect(await names({ q: 'label:critical' })).toEqual(['Cart'])
  expect(await names({ label: 'CRITICAL' })).toEqual(['Cart'])
  expect(await names({ q: '/cart?x' })).toEqual(['Cart'])
  expect(await names({ q: '$o.base' })).toEqual(['Cart'])
  expect(await names({ q: 'post' })).toEqual(['Cart'])
  expect(await names({ q: 'https://search.example/query' })).toEqual(['Search'])
  expect(await names({ q: 'shop.exam' })).toEqual(['Cart'])
  expect(await names({ q: 'host:API.example' })).toEqual(['Cart'])
  expect(await names({ q: 'host:shop.example host:nowhere.example label:eu' })).toEqual(['Cart'])
  expect(await names({ host: 'shop' })).toEqual(['Cart'])
  expect(await names({ q: 'comment.example' })).toEqual([])
  expect(await names({ q: 'string.example' })).toEqual([])
})

describe('the order', () => {
  test('by name ignores the letter case', async () => {
    for (const name of ['beta', 'Gamma', 'alpha']) await service({ name })
    expect(await names({ sort: 'name' })).toEqual(['alpha', 'beta', 'Gamma'])
    expect(await names({ sort: 'name', order: 'desc' })).toEqual(['Gamma', 'beta', 'alpha'])
  })

  test('is by what was asked for, on all pages, and what has no value comes last', async () => {
    const hours = [
      { name: 'slow', ms: [900, 900], failed: 0, schedule: '0 * * * *' },
      { name: 'fast', ms: [10, 10], failed: 1, schedule: '*/5 * * * *' },
      { name: 'mean', ms: [300, 300], failed: 2, schedule: '*/15 * * * *' },
    ]
    for (const [index, { name, ms, failed, schedule }] of hours.entries()) {
      const lastRunAt = ago((index + 1) * MINUTE_MS)
      const row = await service({ name, schedule }, { lastRunAt, lastStatusSince: ago((3 - index) * HOUR_MS) })
      await addHour(t.db, row, ago(HOUR_MS), ms)
      await t.db.execute(sql`update run_hours set success = runs - ${failed} where service_id = ${row.id}`)
    }
    await t.create.service(project, { name: 'new', schedule: '0 0 1 1 *' })
    const both = async (sort: string) => [await names({ sort }), await names({ sort, order: 'desc' })]
    expect(await both('p95')).toEqual([
      ['fast', 'mean', 'slow', 'new'],
      ['slow', 'mean', 'fast', 'new'],
    ])
    for (const sort of ['uptime24h', 'uptime7d']) {
      expect(await both(sort)).toEqual([
        ['mean', 'fast', 'slow', 'new'],
        ['slow', 'fast', 'mean', 'new'],
      ])
    }
    expect(await names({ sort: 'lastRun' })).toEqual(['mean', 'fast', 'slow', 'new'])
    expect(await names({ sort: 'since' })).toEqual(['slow', 'fast', 'mean', 'new'])
    expect(await names({ sort: 'schedule' })).toEqual(['mean', 'fast', 'slow', 'new'])
    for (const sort of BOARD_SORTS) {
      const pages = [await names({ sort, pageSize: 2 }), await names({ sort, pageSize: 2, page: 2 })]
      expect(pages.flat()).toEqual(await names({ sort }))
      expect(new Set(pages.flat()).size).toBe(4)
    }
    expect(await acme.visitor.get('status.board', { sort: 'colour' })).toMatchObject({ status: 400 })
  })
})

test('failures of one cause are one group, also over pages', async () => {
  const refused = 'GET https://shop.example/cart: connection refused'
  await service({ name: 'a' }, failing(10, refused))
  await service({ name: 'b' }, failing(8, 'POST https://shop.example/pay: connection refused (1 more failed)'))
  await service({ name: 'c' }, failing(9, 'GET https://other.example/: connection refused'))
  await service({ name: 'd' }, failing(2, refused))
  await service({ name: 'e' })
  const since = ago(10 * MINUTE_MS).toISOString()
  const group = { key: expect.any(String), host: 'shop.example', reason: 'connection refused', since, count: 2 }
  const shown = (await board({ sort: 'name' })).services.map(({ name, group: own }) => [name, own])
  expect(shown).toEqual([
    ['a', group],
    ['b', group],
    ['c', null],
    ['d', null],
    ['e', null],
  ])
  const second = await board({ sort: 'name', pageSize: 1, page: 2 })
  expect(second.services).toMatchObject([{ name: 'b', group }])
  expect((await board({ q: 'name-of-none' })).services).toEqual([])
})

test('the calls that the database reads of a script are those of the parser', async () => {
  const directory = new URL('../../../lace/examples/', import.meta.url)
  const scripts = globSync('*.lace', { cwd: directory.pathname }).map((file) =>
    readFileSync(new URL(file, directory), 'utf8'),
  )
  const odd = [
    'get // why\n ( // here\n "https://a.example/\\"x\\\\y" // that\n ).expect(status: 200)',
    'get("https://a.example/",{body:"// no comment"}).expect(status:200)delete("$$run/x").check(status:200)',
    CART,
  ]
  expect(scripts.length).toBeGreaterThan(5)
  for (const script of [...scripts, ...odd]) {
    const [row] = await t.db.execute<{ calls: string[] }>(sql`select script_calls(${script}) as calls`)
    const { calls } = parseScript(script).ast ?? { calls: [] }
    expect(calls.length, script).toBeGreaterThan(0)
    expect(row?.calls).toEqual(calls.map(({ method, url }) => `${method.toUpperCase()} ${url}`))
  }
})
