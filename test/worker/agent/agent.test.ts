import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { MINIMUM_PROTOCOL } from '#server/schemas/agents/protocol.ts'
import { MASK } from '#server/schemas/variables.ts'
import { type AgentServer, assignmentOf, refusal, startAgentServer, TOKEN } from '#test/support/agents/agent-server.ts'
import { startTestAgent } from '#test/support/agents/agents.ts'
import { makeChain } from '#test/support/certificates.ts'
import { testFolder } from '#test/support/folder.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// A remote agent against a server whose answers the test decides. Against the real one: test/end-to-end.

const SECRET = 'correct-horse-battery'
const parent = testFolder()
let folder: string
let server: AgentServer
let target: HttpTarget
/** Requests to the target that wait for `releaseHanging`. */
const hanging: (() => void)[] = []
const settings = () => ({ SOUNDLINE_URL: server.url, AGENT_TOKEN: TOKEN })

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    response.setHeader('content-type', 'application/json')
    const answer = () => response.end(JSON.stringify({ token: SECRET, path: request.url }))
    if (request.url === '/hanging') hanging.push(answer)
    else answer()
  })
})
afterAll(() => target.close())
beforeEach(async () => {
  folder = mkdtempSync(join(parent, 'agent-'))
  server = await startAgentServer()
})
afterEach(async () => {
  for (const answer of hanging.splice(0)) answer()
  await server.close()
})

const assignment = (path = '/', changes = {}) => assignmentOf(`http://127.0.0.1:${target.port}${path}`, changes)

test('an agent trusts the authorities of its file, and uploads the certificates of all hops', async () => {
  const chain = await makeChain({ intermediateDaysLeft: 9 })
  const certificate = { key: chain.key, cert: chain.leaf + chain.intermediate, ca: chain.ca }
  const secure = await startHttpTarget(
    (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${target.port}/` }).end(),
    { certificate },
  )
  onTestFinished(secure.close)
  const file = join(folder, 'ca.pem')
  writeFileSync(file, chain.ca)
  server.assign(assignmentOf(`${secure.url}/`))
  await startTestAgent(folder, { ...settings(), PROBE_CA_FILE: file })
  await expect.poll(() => server.uploads.length).toBe(1)
  expect(server.uploads[0]).toMatchObject({
    probe: { outcome: 'success' },
    certificates: [
      { host: `localhost:${secure.port}`, subject: { cn: expect.stringContaining('Soundline test intermediate') } },
    ],
  })
  await expect(startTestAgent(folder, { ...settings(), PROBE_CA_FILE: `${file}.none` })).rejects.toThrow(
    `PROBE_CA_FILE: ${file}.none cannot be read (ENOENT)`,
  )
})

describe('enrolment', () => {
  test('makes a key pair of which only the public half is sent, and needs no token again', async () => {
    const agent = await startTestAgent(folder, settings())
    await expect.poll(() => server.heartbeats.length).toBeGreaterThan(0)
    await agent.stop()
    const stored = JSON.parse(readFileSync(join(folder, 'identity.json'), 'utf8'))
    expect(statSync(join(folder, 'identity.json')).mode & 0o777).toBe(0o600)
    expect(server.enrolments).toMatchObject([{ token: TOKEN, publicKey: stored.key.x, version: '1.2.3' }])
    expect(JSON.stringify([server.enrolments, server.heartbeats])).not.toContain(stored.key.d)

    const beats = server.heartbeats.length
    await startTestAgent(folder, { SOUNDLINE_URL: server.url })
    await expect.poll(() => server.heartbeats.length).toBeGreaterThan(beats)
    expect(server.enrolments).toHaveLength(1)
  })

  test('needs a token, and says why the server refuses one', async () => {
    await expect(startTestAgent(folder, { SOUNDLINE_URL: server.url })).rejects.toThrow('AGENT_TOKEN: must be set')
    server.answer = () => refusal(401, 'token_expired', 'The token has expired.')
    await expect(startTestAgent(folder, settings())).rejects.toThrow(
      'The server refused the enrolment: The token has expired.',
    )
  })

  test('is repeated with the same key while the server is away', async () => {
    let tries = 0
    server.answer = () => (tries++ < 2 ? { status: 503, headers: { 'Retry-After': '1' } } : undefined)
    await startTestAgent(folder, settings())
    expect(server.enrolments).toHaveLength(1)
  })
})

describe('runs', () => {
  test('are executed, and uploaded without secrets after their bodies', async () => {
    const run = assignment('/', {
      saveBodies: true,
      variables: { values: { o: {}, w: {}, p: {}, s: { token: SECRET } }, secrets: [SECRET], restrictedSecrets: [] },
      script: { source: `get("http://127.0.0.1:${target.port}/?t=$s.token").expect(status: 200)`, version: 1 },
    })
    server.assign(run)
    await startTestAgent(folder, settings())
    await expect.poll(() => server.uploads.length).toBe(1)
    const [upload] = server.uploads
    expect(upload).toMatchObject({
      id: run.id,
      attempt: 1,
      broken: null,
      probe: { outcome: 'success', calls: [{ request: { url: `http://127.0.0.1:${target.port}/?t=${MASK}` } }] },
      bodies: [{ call: 0, receipt: `receipt-${run.id}-0` }],
    })
    expect(server.bodies).toMatchObject([
      { contentType: 'application/json', query: { run: run.id, startedAt: upload?.startedAt } },
    ])
    expect(JSON.stringify(upload)).not.toContain(SECRET)
    expect(server.bodies[0]?.bytes.toString()).toBe(JSON.stringify({ token: MASK, path: `/?t=${MASK}` }))
    expect(server.paths.indexOf('bodies')).toBeLessThan(server.paths.indexOf('results'))
  })

  test('reach only the private networks of the agent, whatever the server thinks', async () => {
    server.assign(assignment())
    await startTestAgent(folder, { ...settings(), PROBE_ALLOWED_NETWORKS: '10.0.0.0/8' })
    await expect.poll(() => server.uploads.length).toBe(1)
    expect(server.heartbeats[0]?.allowedNetworks).toEqual(['10.0.0.0/8'])
    expect(server.uploads[0]?.probe?.calls[0]?.error).toContain('blocked_probe_target')
  })

  test('have times of the server, also when the clock of this machine is wrong', async () => {
    server.aheadMs = 400 * 86_400_000
    server.answer = (path) =>
      path === 'enrol' && server.paths.length === 1
        ? refusal(401, 'clock_skew', 'The clock differs.', { now: new Date(Date.now() + server.aheadMs).toISOString() })
        : undefined
    server.assign(assignment('/', { startBy: new Date(Date.now() + server.aheadMs + 60_000).toISOString() }))
    await startTestAgent(folder, settings())
    await expect.poll(() => server.uploads.length).toBe(1)
    const startedAt = Date.parse(server.uploads[0]?.startedAt ?? '')
    expect(Math.abs(startedAt - server.aheadMs - Date.now())).toBeLessThan(300_000)
    expect(server.uploads[0]?.probe?.startedAt).toBe(server.uploads[0]?.startedAt)
  })

  test('are not started after the end of their lease', async () => {
    const late = assignment('/', { startBy: new Date(Date.now() - 60_000).toISOString() })
    const run = assignment()
    server.assign(late, run)
    await startTestAgent(folder, settings())
    await expect.poll(() => server.uploads.map(({ id }) => id)).toEqual([run.id])
  })

  test('stop when the server says that their lease is lost', async () => {
    const run = assignment('/hanging')
    server.assign(run)
    const agent = await startTestAgent(folder, settings())
    await expect.poll(() => server.heartbeats.at(-1)?.held).toEqual([{ id: run.id, attempt: 1 }])
    server.answer = (path) =>
      path === 'heartbeat'
        ? {
            status: 200,
            json: {
              held: [],
              now: new Date().toISOString(),
              settings: {
                heartbeatSeconds: 0.2,
                leaseSeconds: 15,
                runTimeoutMs: 60_000,
                minimumProtocol: MINIMUM_PROTOCOL,
              },
            },
          }
        : undefined
    await expect.poll(() => server.paths.filter((path) => path === 'heartbeat').length).toBeGreaterThan(3)
    server.answer = () => undefined
    await expect.poll(() => server.heartbeats.at(-1)).toMatchObject({ busy: 0, held: [] })
    expect([server.uploads, agent.spool.size()]).toEqual([[], 0])
  })

  test('finish when the agent stops, and results that the server has for another attempt are dropped', async () => {
    const run = assignment('/hanging')
    server.assign(run)
    const agent = await startTestAgent(folder, settings())
    await expect.poll(() => hanging.length).toBe(1)
    server.answer = (path) => (path === 'results' ? refusal(409, 'lease_lost', 'Another attempt.') : undefined)
    const stopped = agent.stop()
    for (const answer of hanging.splice(0)) answer()
    await stopped
    expect(server.paths).toContain('results')
    expect(server.releases).toMatchObject([{ held: [] }])
    expect(agent.spool.size()).toBe(0)
  })
})

describe('a server that is away', () => {
  test('gets all results in their order when it is back', async () => {
    const runs = Array.from({ length: 5 }, () => assignment())
    server.answer = (path) => (path === 'results' ? { status: 502 } : undefined)
    server.assign(...runs)
    const agent = await startTestAgent(folder, { ...settings(), WORKER_CONCURRENCY: '1' })
    await expect.poll(() => agent.spool.size()).toBe(5)
    await expect.poll(() => server.heartbeats.at(-1)?.held.length).toBe(5)
    server.answer = () => undefined
    await expect.poll(() => server.uploads.length).toBe(5)
    await expect.poll(() => agent.spool.size()).toBe(0)
    expect(server.uploads.map(({ id }) => id).toSorted()).toEqual(runs.map(({ id }) => id).toSorted())
  })

  test('gets what a former process left, and the name of that process', async () => {
    server.answer = (path) => (path === 'results' ? { status: 503 } : undefined)
    const run = assignment('/', { saveBodies: true })
    server.assign(run)
    const first = await startTestAgent(folder, settings())
    await expect.poll(() => first.spool.size()).toBe(1)
    await first.stop()
    expect(server.uploads).toEqual([])
    server.answer = () => undefined
    await startTestAgent(folder, { SOUNDLINE_URL: server.url })
    await expect.poll(() => server.uploads).toMatchObject([{ id: run.id, bodies: [{ call: 0 }] }])
    const [beat] = server.heartbeats
    expect(server.heartbeats.find(({ instance }) => instance !== beat?.instance)?.former).toBe(beat?.instance)
  })
})

describe('a server that refuses the agent', () => {
  test('for its age: the agent takes no more runs, uploads what it has, and ends', async () => {
    const run = assignment('/hanging')
    server.assign(run)
    const agent = await startTestAgent(folder, settings())
    await expect.poll(() => hanging.length).toBe(1)
    server.answer = (path) =>
      path === 'heartbeat' || path === 'poll'
        ? refusal(426, 'agent_too_old', 'The agent is too old.', { minimum: 3 })
        : undefined
    await expect.poll(() => server.paths.filter((path) => path === 'heartbeat').length).toBeGreaterThan(1)
    for (const answer of hanging.splice(0)) answer()
    await expect(agent.ended).rejects.toThrow(/too old for the server.*agent\.tgz/)
    expect(server.uploads.map(({ id }) => id)).toEqual([run.id])
  })

  test('because it is revoked: the agent ends at once and keeps its key', async () => {
    const agent = await startTestAgent(folder, settings())
    server.answer = () => refusal(403, 'agent_revoked', 'The agent was revoked.')
    await expect(agent.ended).rejects.toThrow('The server refuses this agent: The agent was revoked. (agent_revoked)')
    const sent = server.paths.length
    await agent.stop()
    expect(server.paths.length).toBe(sent)
    expect(statSync(join(folder, 'identity.json')).size).toBeGreaterThan(0)
  })
})
