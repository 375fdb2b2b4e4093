import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { certificates } from '#db/schema/alerts.ts'
import { serviceStates } from '#db/schema/results.ts'
import type { Upload } from '#server/schemas/agents/protocol.ts'
import { execute, gatewayWorld } from '#test/support/agents/gateway-world.ts'
import { resultsOf, runsOf } from '#test/support/runs/probed.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const world = gatewayWorld()
const { t } = world
let target: HttpTarget
beforeAll(async () => {
  target = await startHttpTarget(({ url }, response) =>
    response
      .writeHead(200, { 'x-a': 'one', 'content-type': 'application/json' })
      .end(url === '/deep' ? `${'['.repeat(500)}1${']'.repeat(500)}` : HOSTILE),
  )
})
afterAll(() => target.close())

/** An object whose text cannot be asked of it. */
const HOSTILE = '{"toString":1,"valueOf":2,"toJSON":3,"__proto__":{"toString":null},"constructor":[]}'
const CERTIFICATE = { subject: { cn: 'shop' }, issuer: { cn: 'R11' } }

/** Runs a script on a remote agent, and returns the upload with the service and the agent's client. */
async function uploadOf(script: string) {
  const service = await world.createService(script)
  const client = await world.enrol(service.organizationId)
  await world.queueRun(service, client.agent)
  return { service, client, upload: await execute((await world.poll(client))[0]!) }
}

/** The upload of a run that saw a certificate. */
function seeing(upload: Upload, dates: { notBefore: string; notAfter: string }): Upload {
  upload.certificates = [{ host: 'shop.example', ...CERTIFICATE, ...dates }]
  return upload
}

describe('an uploaded result', () => {
  test.each([
    ['+275760-09-13T00:00:00.000Z', '2026-01-01T00:00:00Z'],
    ['-000001-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['Jan 1 00:00:00 12024 GMT', '2026-01-01T00:00:00Z'],
    ['2026-11-20T00:00:00Z', '0000-01-01T00:00:00Z'],
  ])('with a certificate that ends at %s and begins at %s is stored as failed, once', async (notAfter, notBefore) => {
    const { service, client, upload } = await uploadOf(`get("${target.url}/").expect(status: 200)`)
    seeing(upload, { notBefore, notAfter })
    for (let sent = 0; sent < 2; sent++) {
      expect(await client.send('results', upload)).toMatchObject({ status: 200, body: { stored: true } })
    }
    const error = 'Soundline could not record this result: the certificate of shop.example has an impossible date'
    const version = service.version
    expect(await resultsOf(t.db, service)).toMatchObject([
      { status: 'failure', summary: error, raw: { error }, steps: [], scriptVersion: version },
    ])
    expect(await runsOf(t.db, service)).toMatchObject([{ state: 'done', attempt: 1 }])
  })

  test('with a host that no name in DNS is as long as is stored as it is', async () => {
    const { service, client, upload } = await uploadOf(`get("${target.url}/").expect(status: 200)`)
    // Random, because the database compresses what it indexes.
    upload.probe!.calls[0]!.request!.url = `https://${randomBytes(3_500).toString('hex')}.example/`
    expect(await client.send('results', upload)).toMatchObject({ status: 200, body: { stored: true } })
    expect(await resultsOf(t.db, service)).toMatchObject([{ status: 'success', steps: [{}] }])
  })

  test('has the certificates of all hops', async () => {
    const { service, client, upload } = await uploadOf(`get("${target.url}/").expect(status: 200)`)
    const dates = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2027-01-01T00:00:00Z' }
    const hop = { host: 'moved.example', subject: { cn: 'moved.example' }, issuer: { cn: 'R11' }, ...dates }
    const issuer = { ...hop, host: 'shop.example', subject: { cn: 'R11' }, notAfter: '2026-12-01T00:00:00Z' }
    const sent = { ...upload, certificates: [hop, issuer] }
    expect(await client.send('results', sent)).toMatchObject({ status: 200, body: { stored: true } })
    const rows = () => t.db.select().from(certificates).where(eq(certificates.serviceId, service.id))
    expect((await rows()).map(({ host, subject }) => [host, subject]).toSorted()).toEqual([
      ['moved.example', 'moved.example'],
      ['shop.example', 'R11'],
    ])
  })

  test('with the deepest value that a script can store is stored as it is', async () => {
    const { service, client, upload } = await uploadOf(`get("${target.url}/deep").store({ "$$x": { in: this.body } })`)
    expect(await client.send('results', upload)).toMatchObject({ status: 200, body: { stored: true } })
    const [result] = await resultsOf(t.db, service)
    expect(result?.status).toBe('success')
    expect(JSON.stringify(result?.raw?.runVars)).toContain('[1'.padStart(501, '['))
  })

  test.each([
    ['expect', 'failure'],
    ['check', 'success'],
  ])(
    'with a failed .%s of a value that has no text of its own is stored as it is, and shown',
    async (method, status) => {
      const { service, client, upload } = await uploadOf(
        `get("${target.url}/").store({ "$$x": this.body })\nget("${target.url}/").${method}(headers: {"x-a": $$x})`,
      )
      expect(upload.probe?.calls[1]?.assertions).toMatchObject([{ outcome: 'failed' }])
      expect(await client.send('results', upload)).toMatchObject({ status: 200, body: { stored: true } })
      const cause = `GET ${target.url}/: header x-a "one", expected {"toString":1,"valueOf":2,"toJSON":3`
      const [result] = await resultsOf(t.db, service)
      expect(result).toMatchObject({ status, steps: [{}, {}] })
      const [state] = await t.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id))
      const summary = status === 'failure' ? result?.summary : state?.degradation?.summary
      expect(summary).toContain(cause)
      const owner = await t.create.member({ id: service.organizationId }, { isOwner: true })
      const key = await t.create.key(owner)
      for (const path of ['', '/snapshot', '/results', `/results/${result!.id}`]) {
        expect((await t.call(key, 'GET', `/services/${service.id}${path}`)).status, path).toBe(200)
      }
      expect((await t.call(key, 'GET', '/services', { query: { projectId: service.projectId } })).status).toBe(200)
    },
  )
})
