import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { serviceStates } from '#db/schema/results.ts'
import type { Upload } from '#server/schemas/agents/protocol.ts'
import { execute, gatewayWorld } from '#test/support/agents/gateway-world.ts'
import { requestRunOf, resultsOf } from '#test/support/runs/probed.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const world = gatewayWorld({ TRUSTED_DOMAIN_MODE: 'false' })
const { t } = world
let target: HttpTarget
beforeAll(async () => {
  target = await startHttpTarget((_request, response) => response.end('{}'))
})
afterAll(() => target.close())

/** Runs a script on an agent of the organization, and returns the upload with the service and the agent's client. */
async function uploadOf(script: string) {
  const service = await world.createService(script)
  const client = await world.enrol(service.organizationId)
  await world.queueRun(service, client.agent)
  const [assignment] = await world.poll(client)
  if (!assignment) throw new Error('the agent got no run')
  return { service, client, upload: await execute(assignment) }
}

describe('a run that the networks of its agent refuse', () => {
  const refusedWith = async (allowedNetworks: string[]) => {
    const { service, client, upload } = await uploadOf('get("http://10.9.9.9/").expect(status: 200)')
    const refused = { host: '10.9.9.9', allowedNetworks }
    expect(await client.send('results', { ...upload, refused })).toMatchObject({ status: 200 })
    const [state] = await t.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id))
    expect(state).toMatchObject({ probesTotal: 0, isAlerting: false })
    expect(await resultsOf(t.db, service)).toMatchObject([{ status: 'skipped', raw: null, callCount: 0 }])
    const [result] = await resultsOf(t.db, service)
    return result?.summary?.replace(client.agent.slug, 'oslo')
  }

  test('is skipped, and says which networks the agent allows', async () => {
    const start = 'the agent oslo may not reach 10.9.9.9:'
    expect(await refusedWith(['10.20.0.0/16', 'fd00::/8'])).toBe(
      `${start} its allowed networks are 10.20.0.0/16, fd00::/8`,
    )
    expect(await refusedWith([])).toBe(`${start} it may reach public addresses only`)
    const many = Array.from({ length: 7 }, (_, nth) => `10.${nth}.0.0/16`)
    expect(await refusedWith(many)).toBe(`${start} its allowed networks are ${many.slice(0, 5).join(', ')} and 2 more`)
  })

  test('is not skipped when its first request was sent', async () => {
    const { service, client, upload } = await uploadOf(`get("${target.url}/").expect(status: 500)`)
    expect(upload).toMatchObject({ probe: { outcome: 'failure' } } satisfies Partial<Record<keyof Upload, unknown>>)
    const refused = { host: 'localhost', allowedNetworks: [] }
    expect(await client.send('results', { ...upload, refused })).toMatchObject({
      status: 400,
      body: { error: 'field_invalid', details: { field: 'refused' } },
    })
    expect(await resultsOf(t.db, service)).toEqual([])
  })
})

test('a run that the installation would refuse by networks goes to the agent, which knows its own', async () => {
  // More calls than an unverified target may have, so that the server judges the script before the run.
  const service = await world.createService('get("http://10.20.0.5/")\n'.repeat(5))
  const [client, other] = [await world.enrol(service.organizationId), await world.enrol(service.organizationId)]
  const load = { slots: 4, busy: 0, cpu: 0, latenessMs: 0, held: [] }
  const beat = (of: typeof client, allowedNetworks: string[]) =>
    of.send('heartbeat', { instance: of.instance, ...load, allowedNetworks, sentAt: new Date().toISOString() })
  await beat(client, ['10.20.0.0/16'])
  await beat(other, [])
  await world.queueRun(service, other.agent)
  await requestRunOf(t.db, service)
  await world.queueRun(service, client.agent)
  expect(await world.poll(client)).toMatchObject([{ serviceId: service.id }])
  expect(await resultsOf(t.db, service)).toEqual([])
})
