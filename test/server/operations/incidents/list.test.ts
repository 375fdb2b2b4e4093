import { beforeAll, describe, expect, test } from 'vitest'
import { serviceAgentStates } from '#db/schema/results.ts'
import { scriptVersions } from '#db/schema/scripts.ts'
import { HOUR_MS, MINUTE_MS } from '#server/durations.ts'
import type { Page } from '#server/paging.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import type { Incident, IncidentDetails } from '#server/schemas/alerts/incidents.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Key, Tree } from '#test/support/factories.ts'
import { createIncident, observation } from '#test/support/runs/incidents.ts'

// What the list of incidents is narrowed to and ordered by, and what its timeline says of the script.

const NOW = new Date('2026-11-20T12:30:00Z')
const api = testApi({ now: () => NOW })
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE_MS)

let tree: Tree
/** Ids by what the incident is about. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  tree = await api.create.tree()
  const service = (name: string, ...labels: string[]) => api.create.service(tree.project, { name, labels })
  const [checkout, search, mail] = [
    await service('Checkout 100%', 'eu', 'Production'),
    await service('Search', 'staging'),
    await service('Mail'),
  ]
  const paris = observation({ agentSlug: 'paris' })
  const passing = observation({ agentSlug: 'oslo', status: 'success', summary: null, failingRuns: 0 })
  const store = async (
    name: string,
    ...given: Parameters<typeof createIncident> extends [unknown, ...infer Rest] ? Rest : never
  ) => {
    ids[name] = (await createIncident(api.db, ...given)).id
  }
  const summary = 'GET https://shop.example/api_v2/cart: status 503, expected 200'
  await store('open', checkout, { summary, openedAt: ago(10), failingSince: ago(20), agents: [paris, passing] })
  await store('long', search, { openedAt: ago(900), failingSince: ago(900), closedAt: ago(100), agents: [paris] })
  await store('short', mail, { openedAt: ago(2_000), closedAt: ago(1_995), agents: [passing] })
  // An agent that fails since the incident opened.
  const agent = await api.create.agent({ slug: 'lima' })
  const { id: serviceId, organizationId } = checkout
  await api.db.insert(serviceAgentStates).values({
    ...{
      serviceId,
      organizationId,
      agentId: agent.id,
      agentSlug: 'lima',
      startedAt: ago(1),
      status: 'failure' as const,
    },
    ...{ statusSince: ago(5), failingRuns: 2, serviceRuns: 1, resultId: createIdAt(ago(1)) },
  })
})

async function names(query: Record<string, string>, key: Key = tree.owner): Promise<string[]> {
  const { status, body } = await api.call<Page<Incident>>(key, 'GET', '/incidents', { query })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.total).toBe(body.items.length)
  return body.items.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id)
}

describe('GET /incidents', () => {
  test.each([
    [{ q: '503' }, ['open']],
    [{ q: 'CHECKOUT cart' }, ['open']],
    [{ q: 'mail 503' }, []],
    [{ q: '100%' }, ['open']],
    [{ q: 'api_v2' }, ['open']],
    [{ q: '%' }, ['open']],
    [{ q: '  ' }, ['open', 'long', 'short']],
    [{ label: 'PRODUCTION' }, ['open']],
    [{ label: 'prod' }, []],
    [{ agent: 'paris' }, ['open', 'long']],
    [{ agent: 'oslo' }, []],
    [{ agent: 'lima' }, ['open']],
    [{ since: ago(99).toISOString() }, ['open']],
    [{ since: ago(100).toISOString() }, ['open', 'long']],
    [{ until: ago(900).toISOString() }, ['long', 'short']],
    [{ since: ago(1_500).toISOString(), until: ago(500).toISOString() }, ['long']],
    // PostgreSQL knows no year 0, and no offset of more than 16 hours.
    [{ since: '0000-01-01' }, ['open', 'long', 'short']],
    [{ since: '2026-11-20T12:00:00+23:00' }, ['open', 'long']],
    [{ since: '9999-12-31T23:59:59-23:00' }, ['open']],
    [{ until: '0000-01-01' }, []],
    [{ until: '9999-12-31T23:59:59-23:00' }, ['open', 'long', 'short']],
    [{ sort: 'newest' }, ['open', 'long', 'short']],
    [{ sort: 'longest' }, ['long', 'open', 'short']],
    [{ sort: 'longest', state: 'closed', q: 'status' }, ['long', 'short']],
  ])('200 of %j', async (query, expected) => {
    expect(await names(query as Record<string, string>)).toEqual(expected)
  })

  test.each([
    [{ sort: 'oldest' }, 'sort', 'must be one of newest, longest'],
    [{ since: 'yesterday' }, 'since', 'must be an ISO-8601 time such as 2026-01-31T09:30:00Z, or a date'],
    [{ q: 'x'.repeat(201) }, 'q', expect.stringContaining('200')],
  ])('400 of %j', async (query, field, reason) => {
    const answer = await api.call(tree.owner, 'GET', '/incidents', { query: query as Record<string, string> })
    expect(answer).toMatchObject({ status: 400, body: { error: 'field_invalid', details: { field, reason } } })
  })
})

test('incidents.search says which incidents the member may change', async () => {
  const [open, long] = [ids.open as string, ids.long as string]
  const found = await api.call<Page<Incident>>(tree.owner, 'GET', '/incidents')
  const serviceOf = (id: string) => found.body.items.find((item) => item.id === id)?.serviceId as string
  const grants = [
    { serviceId: serviceOf(open), level: 1 as const },
    { serviceId: serviceOf(long), level: 2 as const },
  ]
  const reader = await api.caller(await api.create.member(tree.organization, { grants }))
  const writableOf = async (caller: typeof reader) =>
    (await caller.incidents.search({})).items.map(({ id, mayWrite }) => [id, mayWrite])
  expect(await writableOf(reader)).toEqual([
    [open, false],
    [long, true],
  ])
  const owner = await api.caller(tree.organization.owner)
  expect((await writableOf(owner)).map(([, mayWrite]) => mayWrite)).toEqual([true, true, true])
  expect((await owner.incidents.search({ q: 'nothing like it' })).items).toEqual([])
})

test('the timeline has the scripts that were saved between the last passing run and the end', async () => {
  const service = await api.create.service(tree.project)
  const own = { organizationId: service.organizationId, serviceId: service.id, script: '' }
  const saved = (version: number, at: Date) => ({ ...own, version, createdAt: at })
  await api.db
    .insert(scriptVersions)
    .values([saved(2, ago(61)), saved(3, ago(40)), saved(4, ago(20)), saved(5, ago(5))])
  const row = await createIncident(api.db, service, {
    ...{ openedAt: ago(30), failingSince: ago(35), closedAt: ago(10) },
    lastPassingResultId: createIdAt(new Date(NOW.getTime() - HOUR_MS)),
  })
  const { body } = await api.call<IncidentDetails>(tree.owner, 'GET', `/incidents/${row.id}`)
  expect(body.timeline.map(({ kind, text, at }) => [kind, text, at])).toEqual([
    ['script_saved', '3', ago(40).toISOString()],
    ['service.failed', row.summary, ago(30).toISOString()],
    ['script_saved', '4', ago(20).toISOString()],
    ['service.recovered', null, ago(10).toISOString()],
  ])
})
