import { describe, expect, test } from 'vitest'
import { and, eq, isNull } from '#db/drizzle.cjs'
import { agents, serviceAgents } from '#db/schema/resources.ts'
import { eligibleAgents } from '#server/schedule/placement.ts'
import { TOKEN_PATTERN } from '#server/schemas/agents/protocol.ts'
import { gatewayWorld } from '#test/support/agents/gateway-world.ts'
import { enrolClient } from '#test/support/agents/signed-client.ts'
import { runCommand } from '#test/support/processes/commands.ts'

const world = gatewayWorld()
const { t } = world

describe('npm run enrol-agent', () => {
  const run = (...given: string[]) =>
    runCommand('server/commands/enrol-agent.ts', given, { DATABASE_URL: t.databaseUrl })

  test('creates a shared agent, for services that name it unless it is for all, and prints tokens for it', async () => {
    const tree = await t.create.serviceTree()
    const { organizationId, id } = tree.service
    // The agent of an organization with the same slug is another one.
    const other = await t.create.organization()
    await t.create.agent({ slug: 'asia', organizationId: other.id })
    const eligible = async () =>
      ((await eligibleAgents(t.db, [{ organizationId, id }])).get(id) ?? []).map(({ slug }) => slug)
    const told = async (...given: string[]) => {
      const { code, stdout } = await run('--slug', 'asia', ...given)
      const [services, , token = ''] = stdout.trim().split('\n')
      expect(token).toMatch(TOKEN_PATTERN)
      return { answer: [code, services], token }
    }
    const none = [0, 'It runs only services that name it. With --for all, also those that name no agent.']
    const all = [
      0,
      'Services of all organizations that name no agent run on it. With --for none, only those that name it.',
    ]
    const first = await told('--label', 'Asia')
    expect(first.answer).toEqual(none)
    await enrolClient(world.gateway, first.token)
    const shared = and(eq(agents.slug, 'asia'), isNull(agents.organizationId))
    const [asia] = await t.db.select().from(agents).where(shared)
    expect(asia).toMatchObject({ label: 'Asia', organizationId: null })
    expect(await eligible()).not.toContain('asia')
    expect((await told('--for', 'all')).answer).toEqual(all)
    expect(await eligible()).toContain('asia')
    // A token for another process changes nothing.
    expect((await told()).answer).toEqual(all)
    expect((await told('--for', 'none')).answer).toEqual(none)
    expect(await eligible()).not.toContain('asia')
    await t.db.insert(serviceAgents).values({ organizationId, serviceId: id, agentId: asia?.id ?? '' })
    expect(await eligible()).toEqual(['asia'])
    expect(await t.db.$count(agents, shared)).toBe(1)
  })

  test('exits with 1 and its usage when an argument is wrong', async () => {
    const usage = expect.stringContaining('Usage: npm run enrol-agent -- --slug eu-west')
    expect(await run('--slug', 'asia', '--for', 'some')).toMatchObject({ code: 1, stderr: usage })
  })
})
