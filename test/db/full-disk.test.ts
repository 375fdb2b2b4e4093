import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { createAgentGateway } from '#server/fronts/agents/gateway.ts'
import { createMcp } from '#server/fronts/mcp/mcp-front.ts'
import { createFacade } from '#server/fronts/rest/facade.ts'
import { createDatabaseCheck, createReadiness } from '#server/health/ready.ts'
import { createEnrolment } from '#server/identity/auth/agent-enrolments.ts'
import { enrolClient } from '#test/support/agents/signed-client.ts'
import { buildRequest } from '#test/support/api/api.ts'
import { testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import type { Key, Member } from '#test/support/factories.ts'

// PostgreSQL itself reports that it cannot store: triggers raise what a full or faulty disk raises.

const t = testDashboard()
let owner: Member
let key: Key
let visitor: Visitor
beforeAll(async () => {
  owner = (await t.create.organization({ name: 'Acme' })).owner
  key = await t.create.key(owner)
  visitor = await t.signIn(owner)
})

/** From now on PostgreSQL refuses to write into a table, with this SQLSTATE. */
async function failWrites(table: string, state: string): Promise<void> {
  await t.db.execute(
    sql.raw(`create or replace function fail_write() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file "base/5/16384": No space left on device' using errcode = '${state}';
      end $$;`),
  )
  await t.db.execute(
    sql.raw(`create trigger fail_write before insert or update on ${table} execute function fail_write()`),
  )
}
afterEach(() => t.db.execute(sql`drop function if exists fail_write cascade`))

const createWorkspace = (name: string) =>
  createFacade(t.runtime)(buildRequest(key, 'POST', '/workspaces', { body: { name } }), { address: '127.0.0.1' })

describe('an error of the disk or of the memory is 503 with Retry-After', () => {
  const state = '53100'

  test.each(['53000', state, '53200', '58030'])('SQLSTATE %s for the public API, until it has room', async (state) => {
    await failWrites('workspaces', state)
    const answer = await createWorkspace(state)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(await answer.json()).toMatchObject({ error: 'service_unavailable' })
    await t.db.execute(sql`drop function fail_write cascade`)
    expect((await createWorkspace(randomUUID())).status).toBe(200)
  })

  test('for the dashboard', async () => {
    await failWrites('workspaces', state)
    const answer = await visitor.post('workspaces.create', { name: 'Full' })
    expect(answer).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  })

  test('for MCP', async () => {
    await failWrites('rate_limits', state)
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_failing', arguments: {} } }
    const headers = { accept: 'application/json, text/event-stream', host: 'localhost' }
    const request = buildRequest(key, 'POST', '/api/mcp', { body, headers })
    const answer = await createMcp(t.runtime)(request, { address: '127.0.0.1' })
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: 'service_unavailable' }])
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  })

  test('for agents', async () => {
    const gateway = createAgentGateway(t.runtime)
    try {
      const agent = await t.create.agent({ organizationId: owner.organizationId })
      const { token } = await t.db.transaction((tx) => createEnrolment(tx, agent, null, t.runtime.now()))
      const client = await enrolClient(gateway, token)
      await failWrites('agent_nonces', state)
      const answer = await client.send('poll', { instance: client.instance, free: 1, waitSeconds: 0 })
      expect(answer).toMatchObject({ status: 503, body: { error: 'service_unavailable' } })
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    } finally {
      gateway.close()
    }
  })
})

describe('readiness', () => {
  const ask = async () => {
    const answer = await createReadiness(createDatabaseCheck(t.db)).serve(new Request('http://localhost/api/ready'))
    return [answer.status, await answer.json(), answer.headers.has('retry-after')]
  }
  const forget = () => {
    t.db.$client.pool.diskFailedAt = Number.NEGATIVE_INFINITY
  }

  test.each(['53100', '58030'])(
    'names the disk for half a minute after it failed a statement with %s',
    async (state) => {
      forget()
      expect(await ask()).toEqual([200, { ready: true }, false])
      await failWrites('workspaces', state)
      expect((await createWorkspace('Full')).status).toBe(503)
      expect(await ask()).toEqual([503, { ready: false, reason: 'disk' }, true])
      t.db.$client.pool.diskFailedAt -= 30_000
      expect(await ask()).toEqual([200, { ready: true }, false])
    },
  )

  test('is not lost by one statement that needs too much memory', async () => {
    forget()
    await failWrites('workspaces', '53200')
    expect((await createWorkspace('Full')).status).toBe(503)
    expect(await ask()).toEqual([200, { ready: true }, false])
  })
})
