import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { serviceAgentStates } from '#db/schema/results.ts'
import type { AgentHealth } from '#server/schemas/agents.ts'
import { testApi } from '#test/support/api/api.ts'
import { statementsOf } from '#test/support/statements.ts'

const api = testApi()

/** What each agent saw last of one service: `+` passed, `-` failed, `t` timed out, `o` failed two hours ago, a space nothing. */
type Seen = string

const STATUSES = { '+': 'success', '-': 'failure', t: 'timeout', o: 'failure' } as const

/** Creates services whose last results on three agents are these, and returns the tree and the agents. */
async function world(seen: Seen[], given: { isActive?: boolean } = {}) {
  const tree = await api.create.tree()
  const slugs = ['frankfurt', 'oslo', 'porto']
  const agents = await Promise.all(
    slugs.map((slug) => api.create.agent({ slug, organizationId: tree.organization.id })),
  )
  for (const marks of seen) {
    const service = await api.create.service(tree.project, { isActive: true, script: '', ...given })
    const { organizationId, id: serviceId } = service
    for (const [nth, agent] of agents.entries()) {
      const mark = marks[nth] as keyof typeof STATUSES | ' ' | undefined
      if (mark === undefined || mark === ' ') continue
      const hours = mark === 'o' ? 2 : 0
      const at = sql`now() - make_interval(hours => ${hours})`
      const row = { organizationId, serviceId, agentId: agent.id, agentSlug: agent.slug, resultId: uuidv7() }
      const state = { status: STATUSES[mark], statusSince: at, startedAt: at, serviceRuns: 1 }
      await api.db.insert(serviceAgentStates).values({ ...row, ...state } as never)
    }
  }
  return { tree, agents }
}

const loneOf = async (member: Parameters<typeof api.caller>[0]) =>
  (await (await api.caller(member)).agents.lone()).map(({ slug, failed, compared }) => `${slug} ${failed}/${compared}`)

test.each<[title: string, seen: Seen[], lone: string[]]>([
  ['half of five, rounded up', ['-+', '-+', 't+', '++', '++'], ['frankfurt 3/5']],
  ['exactly half', ['-+', '-+', '-+', '++', '++', '++'], ['frankfurt 3/6']],
  ['less than half', ['-+', '-+', '++', '++', '++'], []],
  ['four services', ['-+', '-+', '-+', '-+'], []],
  ['what others fail too does not count', ['-+', '-+', '-+', '-+', '--', '---'], []],
  ['what one of two others fails does not count', ['-+-', '-+-', '-+-', '-+-', '-+-'], []],
  ['what passes on both others', ['-++', '-++', '-++', '-++', '-++', '---'], ['frankfurt 5/5']],
  ['what ran nowhere else does not count', ['-', '-', '-', '-', '-', '-+'], []],
  ['older results do not count', ['o+', 'o+', 'o+', 'o+', 'o+'], []],
  ['an older failure elsewhere does not excuse', ['-+o', '-+o', '-+o', '-+o', '-+o'], ['frankfurt 5/5']],
  ['two that fail different services', ['-+', '-+', '-+', '+-', '+-', '+-', '++'], []],
])('an agent that fails alone: %s', async (_, seen, lone) => {
  const { tree } = await world(seen)
  expect(await loneOf(tree.organization.owner)).toEqual(lone)
})

test('services that are off do not count, nor does what the member cannot see', async () => {
  const failing = Array.from({ length: 5 }, () => '-+')
  const off = await world(failing, { isActive: false })
  expect(await loneOf(off.tree.organization.owner)).toEqual([])
  const { tree } = await world(failing)
  expect(await loneOf(await api.create.member(tree.organization))).toEqual([])
  const reader = await api.create.member(tree.organization, { grants: [{ projectId: tree.project.id, level: 1 }] })
  expect(await loneOf(reader)).toEqual(['frankfurt 5/5'])
})

test('the health of the agent has the numbers, and no other read of agents compares them', async () => {
  const { tree, agents } = await world(Array.from({ length: 6 }, () => '-+'))
  const health = async (id = '') => (await api.call<AgentHealth>(tree.owner, 'GET', `/agents/${id}/health`)).body
  expect(await health(agents[0]?.id)).toMatchObject({ failsAlone: { failed: 6, compared: 6 } })
  expect(await health(agents[1]?.id)).toMatchObject({ failsAlone: null })
  const caller = await api.caller(tree.organization.owner)
  const statements = await statementsOf(async () => {
    await caller.organization.agents.list()
    await caller.organization.agents.get({ slug: 'frankfurt' })
  })
  expect(statements.filter((text) => text.includes('service_agent_states'))).toEqual([])
})
