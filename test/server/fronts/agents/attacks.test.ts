import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { agentEnrolments, agentKeys } from '#db/schema/agents.ts'
import { agents } from '#db/schema/resources.ts'
import { runs } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { type Assignment, PROTOCOL, type Upload } from '#server/schemas/agents/protocol.ts'
import { AGENT_ERROR_CODES } from '#server/schemas/errors/error-table.ts'
import { execute, gatewayWorld } from '#test/support/agents/gateway-world.ts'
import {
  createKeys,
  enrolClient,
  type Forgery,
  nextAddress,
  type SignedClient,
  sendSigned,
} from '#test/support/agents/signed-client.ts'
import { type ProbedService, resultsOf } from '#test/support/runs/probed.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// What an attacker tries with a stolen token, a foreign request or an own agent. Each attempt is refused with a code, and
// nothing is stored. `audited` is the reason in the audit log of the agent's organization.

const world = gatewayWorld()
const { t } = world
let target: HttpTarget
beforeAll(async () => {
  target = await startHttpTarget((_request, response) => response.writeHead(200).end('fine'))
})
afterAll(() => target.close())

type Client = SignedClient & { agent: { id: string; slug: string } }
type Scene = { client: Client; service: ProbedService; assignment: Assignment; upload: Upload }
type Expected = { status: number; code: string; audited?: string }
type Attempt = {
  expected: Expected
  /** It changes what others need, so it has an own scene. */
  isAlone?: true
  attempt: (scene: Scene) => Promise<{ status: number; body: Record<string, unknown> }>
}

async function createScene(): Promise<Scene> {
  const script = `get("${target.url}/")\n  .expect(status: 200)\n  .assert({ check: [this.status eq 200] })\n  .store({ "$count": 1 })`
  const service = await world.createService(script, { saveResponseBodies: true })
  const client = await world.enrol(service.organizationId)
  await world.queueRun(service, client.agent)
  const [assignment] = await world.poll(client)
  return { client, service, assignment: assignment!, upload: await execute(assignment!) }
}

const results = (forge: (upload: Upload) => unknown, forgery: Forgery = {}): Attempt['attempt'] => {
  return ({ client, upload }) =>
    client.send('results', forge(structuredClone(upload)), { address: nextAddress(), ...forgery })
}
const signed = (forgery: Forgery, name = 'poll'): Attempt['attempt'] => {
  return ({ client }) =>
    client.send(name, { instance: client.instance, free: 1, waitSeconds: 0 }, { address: nextAddress(), ...forgery })
}
/** Changes a copy of the result's first call. */
const call = (change: object) => (upload: Upload) => {
  Object.assign(upload.probe!.calls[0]!, change)
  return upload
}
const probe = (change: object) => (upload: Upload) => ({ ...upload, probe: { ...upload.probe, ...change } })
const response = (change: object) => (upload: Upload) => {
  Object.assign(upload.probe!.calls[0]!.response!, change)
  return upload
}

const BAD_SIGNATURE: Expected = { status: 401, code: 'invalid_signature', audited: 'invalid_signature' }
/** Not in the profile, so no key is looked up: nobody to tell. */
const NO_SIGNATURE: Expected = { status: 401, code: 'invalid_signature' }
const SKEW: Expected = { status: 401, code: 'clock_skew', audited: 'clock_skew' }
const REPLAYED: Expected = { status: 401, code: 'replayed', audited: 'replayed' }
const BAD_RESULT: Expected = { status: 400, code: 'invalid_request_body', audited: 'invalid_result' }
const CONTRADICTION: Expected = { status: 400, code: 'field_invalid', audited: 'invalid_result' }
const BAD_TOKEN: Expected = { status: 401, code: 'enrolment_invalid' }
const LOST: Expected = { status: 409, code: 'lease_lost' }
const NUL = String.fromCharCode(0)
const minutes = (count: number) => new Date(Date.now() + count * 60_000)

const enrolWith = (token: string, forgery: Forgery & { publicKey?: string; protocolInBody?: number } = {}) => {
  const keys = createKeys()
  const { publicKey = keys.publicKey, protocolInBody = PROTOCOL, ...rest } = forgery
  const message = { token, publicKey, name: 'evil', version: '9', protocol: protocolInBody }
  return sendSigned(world.gateway, keys, 'enrol', message, { address: nextAddress(), ...rest })
}

/** Sends a recorded request again, byte by byte. */
async function replay({ client }: Scene) {
  const forgery = { nonce: 'the-same-nonce-twice', created: new Date(), address: nextAddress() }
  const message = { instance: client.instance, free: 1, waitSeconds: 0 }
  expect((await client.send('poll', message, forgery)).status).toBe(200)
  return client.send('poll', message, forgery)
}

const attempts: Record<string, Attempt> = {
  'a guessed token': { expected: BAD_TOKEN, attempt: () => enrolWith(`sla_${'a'.repeat(43)}`) },
  'a token of another form': {
    expected: { status: 400, code: 'invalid_request_body' },
    attempt: () => enrolWith('sla_short'),
  },
  'a used token': {
    expected: { ...BAD_TOKEN, audited: 'used_token' },
    isAlone: true,
    async attempt({ client, service }) {
      const token = await world.createToken({ id: client.agent.id, organizationId: service.organizationId })
      await enrolClient(world.gateway, token)
      return enrolWith(token)
    },
  },
  'an expired token': {
    expected: { ...BAD_TOKEN, audited: 'expired_token' },
    isAlone: true,
    async attempt({ client, service }) {
      const token = await world.createToken({ id: client.agent.id, organizationId: service.organizationId })
      await t.db.update(agentEnrolments).set({ expiresAt: new Date(0) })
      return enrolWith(token)
    },
  },
  'a token for the public key of another': {
    expected: NO_SIGNATURE,
    isAlone: true,
    async attempt({ client, service }) {
      const token = await world.createToken({ id: client.agent.id, organizationId: service.organizationId })
      return enrolWith(token, { publicKey: createKeys().publicKey })
    },
  },
  'a token with an unsigned key': {
    expected: NO_SIGNATURE,
    isAlone: true,
    async attempt({ client, service }) {
      const token = await world.createToken({ id: client.agent.id, organizationId: service.organizationId })
      return enrolWith(token, { privateKey: createKeys().privateKey })
    },
  },
  'no signature': {
    expected: NO_SIGNATURE,
    attempt: signed({
      change(headers) {
        delete headers.Signature
        delete headers['Signature-Input']
      },
    }),
  },
  'two signatures': {
    expected: NO_SIGNATURE,
    attempt: signed({
      change(headers) {
        headers.Signature = `${headers.Signature}, other=:AAAA:`
        headers['Signature-Input'] = `${headers['Signature-Input']}, other=();created=1`
      },
    }),
  },
  'an unknown key': { expected: NO_SIGNATURE, attempt: signed({ keyId: uuidv7() }) },
  'a key id that is no id': { expected: NO_SIGNATURE, attempt: signed({ keyId: "' or 1=1 --" }) },
  "another agent's key id": { expected: BAD_SIGNATURE, attempt: signed({ privateKey: createKeys().privateKey }) },
  'a replayed request': { expected: REPLAYED, isAlone: true, attempt: replay },
  'another body than signed': {
    expected: BAD_SIGNATURE,
    attempt: signed({ signedBody: Buffer.from('{"instance":"x"}') }),
  },
  'a digest of another body, put in after signing': {
    expected: BAD_SIGNATURE,
    attempt: signed({
      signedBody: Buffer.from('other'),
      change(headers) {
        headers['content-digest'] = `sha-256=:${createHash('sha256').update('third').digest('base64')}:`
      },
    }),
  },
  'a digest of a weak algorithm': {
    expected: BAD_SIGNATURE,
    attempt: signed({ headers: { 'content-digest': 'md5=:1B2M2Y8AsgTpgAmY7PhCfg==:' } }),
  },
  'another path than signed': { expected: BAD_SIGNATURE, attempt: signed({ signedPath: '/api/agent/v1/heartbeat' }) },
  'another method than signed': { expected: BAD_SIGNATURE, attempt: signed({ signedMethod: 'PUT' }) },
  'another query than signed': { expected: BAD_SIGNATURE, attempt: signed({ query: 'run=1', signedQuery: 'run=2' }) },
  'another protocol than signed': {
    expected: BAD_SIGNATURE,
    attempt: signed({
      change(headers) {
        headers['soundline-agent'] = '9.9.9/7'
      },
    }),
  },
  'a signature without the digest': {
    expected: NO_SIGNATURE,
    attempt: signed({ components: ['@method', '@path', '@query', 'soundline-agent'] }),
  },
  'a signature without the query': {
    expected: NO_SIGNATURE,
    attempt: signed({ components: ['@method', '@path', 'content-digest', 'soundline-agent'] }),
  },
  'a signature of one component twice': {
    expected: NO_SIGNATURE,
    attempt: signed({ components: ['@method', '@method', '@path', '@query', 'content-digest'] }),
  },
  'an old signature': { expected: SKEW, attempt: signed({ created: minutes(-6) }) },
  'a signature of the future': { expected: SKEW, attempt: signed({ created: minutes(6) }) },
  'another algorithm': { expected: NO_SIGNATURE, attempt: signed({ alg: 'hmac-sha256' }) },
  'a short nonce': { expected: NO_SIGNATURE, attempt: signed({ nonce: 'short' }) },
  'a GET': {
    expected: { status: 405, code: 'method_not_allowed' },
    attempt: signed({ method: 'GET', signedMethod: 'GET' }),
  },
  'an unknown path': { expected: { status: 404, code: 'not_found' }, attempt: signed({}, 'runs') },
  'a path of the prototype': { expected: { status: 404, code: 'not_found' }, attempt: signed({}, 'constructor') },
  'a protocol that is too old': {
    expected: { status: 426, code: 'agent_too_old' },
    attempt: signed({ protocol: 1 }),
  },
  'a protocol that is too old, at enrolment': {
    expected: { status: 426, code: 'agent_too_old' },
    attempt: () => enrolWith(`sla_${'b'.repeat(43)}`, { protocolInBody: 1 }),
  },
  'a revoked key': {
    expected: { status: 403, code: 'agent_revoked', audited: 'revoked_key' },
    isAlone: true,
    async attempt({ client, upload }) {
      await t.db.update(agentKeys).set({ revokedAt: new Date() }).where(eq(agentKeys.id, client.keys.keyId))
      return client.send('results', upload, { address: nextAddress() })
    },
  },
  'an agent that is switched off': {
    expected: { status: 403, code: 'agent_revoked' },
    isAlone: true,
    async attempt({ client, upload }) {
      await t.db.update(agents).set({ isActive: false }).where(eq(agents.id, client.agent.id))
      return client.send('results', upload, { address: nextAddress() })
    },
  },
  "the result of another organization's run": {
    expected: { ...LOST, audited: 'foreign_run' },
    isAlone: true,
    async attempt({ client }) {
      const other = await createScene()
      const refused = await client.send('results', other.upload, { address: nextAddress() })
      expect(await resultsOf(t.db, other.service)).toEqual([])
      return refused
    },
  },
  'the result of a run that does not exist': {
    expected: LOST,
    attempt: results((upload) => ({ ...upload, id: uuidv7() })),
  },
  'the result of a run that was never given out': {
    expected: { ...LOST, audited: 'wrong_attempt' },
    isAlone: true,
    async attempt({ client, service, upload }) {
      await t.db.update(runs).set({ state: 'queued', attempt: 0, workerId: null }).where(eq(runs.id, upload.id))
      expect(await resultsOf(t.db, service)).toEqual([])
      return client.send('results', upload, { address: nextAddress() })
    },
  },
  'the result of a later attempt': {
    expected: { ...LOST, audited: 'wrong_attempt' },
    attempt: results((upload) => ({ ...upload, attempt: 2 })),
  },
  'the result of an attempt that lost its lease': {
    expected: LOST,
    isAlone: true,
    async attempt({ client, upload }) {
      await t.db.update(runs).set({ attempt: 2 }).where(eq(runs.id, upload.id))
      return client.send('results', upload, { address: nextAddress() })
    },
  },
  'a result over two mebibytes': {
    expected: { status: 413, code: 'request_body_too_large', audited: 'too_large' },
    attempt: results(call({ warnings: ['x'.repeat(2 ** 21)] })),
  },
  'a result nested deeply': {
    expected: BAD_RESULT,
    attempt: results((upload) => upload, {
      body: Buffer.from(`{"id":${'['.repeat(200)}${']'.repeat(200)}}`),
    }),
  },
  'a result of very many values': {
    expected: BAD_RESULT,
    attempt: results(probe({ runVars: { list: Array.from({ length: 200_000 }, () => 1) } })),
  },
  'more calls than a script can have': {
    expected: BAD_RESULT,
    attempt: results((upload) => probe({ calls: Array.from({ length: 1_001 }, () => upload.probe!.calls[0]) })(upload)),
  },
  'no JSON': { expected: BAD_RESULT, attempt: results((upload) => upload, { body: Buffer.from('result=1') }) },
  'another content type': { expected: BAD_RESULT, attempt: results((upload) => upload, { contentType: 'text/html' }) },
  'neither a result nor a reason': { expected: BAD_RESULT, attempt: results((upload) => ({ ...upload, probe: null })) },
  'an unknown status': { expected: BAD_RESULT, attempt: results(probe({ outcome: '<script>alert(1)</script>' })) },
  'a status that contradicts the calls': { expected: CONTRADICTION, attempt: results(probe({ outcome: 'failure' })) },
  'a call that passes with a failed expectation': {
    expected: CONTRADICTION,
    attempt: results((upload) => {
      upload.probe!.calls[0]!.assertions[0]!.outcome = 'failed'
      return upload
    }),
  },
  'a call that succeeds without a response': { expected: CONTRADICTION, attempt: results(call({ response: null })) },
  'a call that the script does not make': {
    expected: CONTRADICTION,
    attempt: results((upload) => {
      upload.probe!.calls.push({ ...upload.probe!.calls[0]!, index: 1 })
      return upload
    }),
  },
  'an unknown call index': { expected: CONTRADICTION, attempt: results(call({ index: 7 })) },
  'another method than the script has': {
    expected: CONTRADICTION,
    attempt: results(call({ request: { url: 'http://x/', method: 'delete', headers: {} } })),
  },
  'an assertion that the script does not make': {
    expected: CONTRADICTION,
    attempt: results((upload) => {
      const [first] = upload.probe!.calls[0]!.assertions
      upload.probe!.calls[0]!.assertions.push({ ...first, scope: 'body' } as never)
      return upload
    }),
  },
  'an assertion twice': {
    expected: CONTRADICTION,
    attempt: results((upload) => {
      upload.probe!.calls[0]!.assertions.push(...upload.probe!.calls[0]!.assertions)
      return upload
    }),
  },
  'a condition that the script does not have': {
    expected: CONTRADICTION,
    attempt: results((upload) => {
      const written = upload.probe!.calls[0]!.assertions.find(({ method }) => method === 'assert')!
      upload.probe!.calls[0]!.assertions.push({ ...written, index: 1 } as never)
      return upload
    }),
  },
  'a variable that the script does not write back': {
    expected: CONTRADICTION,
    attempt: results(probe({ actions: { variables: { token: 'mine' } } })),
  },
  'a timeout in a call that had none': {
    expected: CONTRADICTION,
    attempt: results((upload) => ({ ...upload, timeoutPhases: [[0, 'dns']] })),
  },
  'a negative duration': { expected: BAD_RESULT, attempt: results(response({ ttfbMs: -1 })) },
  'a huge duration': { expected: BAD_RESULT, attempt: results(response({ responseTimeMs: 1e15 })) },
  'calls longer than the lease': { expected: CONTRADICTION, attempt: results(response({ responseTimeMs: 3_000_000 })) },
  'a time that is none': { expected: BAD_RESULT, attempt: results((upload) => ({ ...upload, startedAt: 'soon' })) },
  'a NUL in a value': { expected: BAD_RESULT, attempt: results(call({ warnings: [`a${NUL}b`] })) },
  'a NUL in a name': { expected: BAD_RESULT, attempt: results(response({ headers: { [`a${NUL}`]: 'b' } })) },
  'half a character': { expected: BAD_RESULT, attempt: results(call({ warnings: ['\ud800'] })) },
  'an invented receipt': {
    expected: { ...CONTRADICTION, audited: 'invalid_receipt' },
    attempt: results((upload) => ({ ...upload, bodies: [{ call: 0, receipt: 'AQRmYWtl' }] })),
  },
  'the receipt of another run': {
    expected: { ...CONTRADICTION, audited: 'invalid_receipt' },
    isAlone: true,
    async attempt({ client, upload }) {
      const other = await createScene()
      const receipt = await sendBody(other.client, other.upload)
      return client.send('results', { ...upload, bodies: [{ call: 0, receipt }] }, { address: nextAddress() })
    },
  },
  'one receipt twice': {
    expected: { ...CONTRADICTION, audited: 'invalid_receipt' },
    isAlone: true,
    async attempt({ client, upload }) {
      const receipt = await sendBody(client, upload)
      const bodies = [
        { call: 0, receipt },
        { call: 0, receipt },
      ]
      return client.send('results', { ...upload, bodies }, { address: nextAddress() })
    },
  },
  'a body of an unknown call': {
    expected: LOST,
    attempt: ({ client, upload }) => uploadBody(client, upload, { call: '5' }),
  },
  "a body of another organization's run": {
    expected: { ...LOST, audited: 'foreign_run' },
    isAlone: true,
    async attempt({ client }) {
      const other = await createScene()
      return uploadBody(client, other.upload, {})
    },
  },
  'a body over ten mebibytes': {
    expected: { status: 413, code: 'request_body_too_large', audited: 'too_large' },
    attempt: ({ client, upload }) => uploadBody(client, upload, {}, Buffer.alloc(10 * 2 ** 20 + 1)),
  },
}

function uploadBody(client: SignedClient, upload: Upload, query: Record<string, string>, body = Buffer.from('fine')) {
  const { id: run, attempt, startedAt } = upload
  const search = new URLSearchParams({ run, attempt: String(attempt), call: '0', startedAt, ...query })
  return client.send('bodies', null, { query: String(search), body, contentType: 'text/plain', address: nextAddress() })
}

async function sendBody(client: SignedClient, upload: Upload): Promise<string> {
  const { status, body } = await uploadBody(client, upload, {})
  expect(status).toBe(200)
  return String(body.receipt)
}

/** How often each reason is in the audit log of the scene's organization. */
async function refusalsOf({ service }: Scene): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { action, details } of await world.auditOf(service.organizationId)) {
    const { reason, count } = details as { reason: string; count: number }
    if (action === 'agent.refuse') counts[reason] = (counts[reason] ?? 0) + count
  }
  return counts
}

describe('what an attacker tries', () => {
  let shared: Scene
  beforeAll(async () => {
    shared = await createScene()
  })

  test.each(Object.entries(attempts))('%s is refused, and nothing is stored', async (_name, given) => {
    const { expected, isAlone, attempt } = given
    const scene = isAlone ? await createScene() : shared
    const before = await refusalsOf(scene)
    const { status, body } = await attempt(scene)
    const code = String(body.error)
    expect({ status, code }).toEqual({ status: expected.status, code: expected.code })
    const doc = AGENT_ERROR_CODES.some((own) => own === code)
      ? '/docs/guide/agents#codes-of-agents'
      : `/docs/guide#code-${code}`
    expect(body).toMatchObject({ message: expect.any(String), doc: expect.stringContaining(doc) })
    const { audited } = expected
    expect(await refusalsOf(scene)).toEqual(audited ? { ...before, [audited]: (before[audited] ?? 0) + 1 } : before)
    expect(await resultsOf(t.db, scene.service)).toEqual([])
    const stored = await t.db.select().from(variables).where(eq(variables.serviceId, scene.service.id))
    expect(stored.filter(({ systemType }) => systemType === null)).toEqual([])
  })

  test('there are at least forty attempts', () => {
    expect(Object.keys(attempts).length).toBeGreaterThanOrEqual(40)
  })
})
