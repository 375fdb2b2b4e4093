import { and, eq, isNull } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
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

  test('creates a shared agent and prints a token that enrols a process of it', async () => {
    const { code, stdout } = await run('--slug', 'eu-west', '--label', 'EU west')
    expect(code).toBe(0)
    const token = stdout.trim().split('\n').at(-1) ?? ''
    expect(token).toMatch(TOKEN_PATTERN)
    const [agent] = await t.db.select().from(agents).where(eq(agents.slug, 'eu-west'))
    expect(agent).toMatchObject({ label: 'EU west', organizationId: null })
    await enrolClient(world.gateway, token)
  })

  test('lets a new agent run only services that name it, unless it is for all', async () => {
    const tree = await t.create.serviceTree()
    const { organizationId, id } = tree.service
    const eligible = async () =>
      ((await eligibleAgents(t.db, [{ organizationId, id }])).get(id) ?? []).map(({ slug }) => slug)
    const told = async (...given: string[]) => {
      const { code, stdout } = await run('--slug', 'asia', ...given)
      return [code, stdout.split('\n')[0]]
    }
    const none = [0, 'It runs only services that name it. With --for all, also those that name no agent.']
    const all = [
      0,
      'Services of all organizations that name no agent run on it. With --for none, only those that name it.',
    ]
    expect(await told()).toEqual(none)
    expect(await eligible()).not.toContain('asia')
    expect(await told('--for', 'all')).toEqual(all)
    expect(await eligible()).toContain('asia')
    // A token for another process changes nothing.
    expect(await told()).toEqual(all)
    expect(await told('--for', 'none')).toEqual(none)
    expect(await eligible()).not.toContain('asia')
    const [asia] = await t.db.select().from(agents).where(eq(agents.slug, 'asia'))
    await t.db.insert(serviceAgents).values({ organizationId, serviceId: id, agentId: asia?.id ?? '' })
    expect(await eligible()).toEqual(['asia'])
    expect((await run('--slug', 'asia', '--for', 'some')).stderr).toContain('[--for none|all]')
  })

  test('does not take the agent of an organization with the same slug, and exits with 1 without a slug', async () => {
    const { id: organizationId } = await t.create.organization()
    await t.create.agent({ slug: 'own', organizationId })
    const [own, nothing] = await Promise.all([run('--slug', 'own'), run()])
    expect(own.code).toBe(0)
    const shared = and(eq(agents.slug, 'own'), isNull(agents.organizationId))
    expect(await t.db.$count(agents, shared)).toBe(1)
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining('Usage: npm run enrol-agent') })
  })
})
