import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Upload } from '#server/schemas/agents/protocol.ts'
import { MASK } from '#server/schemas/variables.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { type AgentServer, assignmentOf, startAgentServer, TOKEN } from '#test/support/agents/agent-server.ts'
import { startTestAgent } from '#test/support/agents/agents.ts'
import { testFolder } from '#test/support/folder.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { get, outcomeOf } from '#test/support/targets/requests.ts'
import { createTransport } from '#worker/http/client.ts'
import { OutsideNetworks } from '#worker/http/guard.ts'

// What an agent says of a run that its own networks refuse, and when the refusal is a failure instead.

const parent = testFolder()
let server: AgentServer
let target: HttpTarget

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    if (request.url === '/inside') response.writeHead(302, { location: 'http://10.9.9.9/' }).end()
    else response.end('{}')
  })
})
afterAll(() => target.close())
beforeEach(async () => {
  server = await startAgentServer()
})
afterEach(() => server.close())

async function uploadOf(source: string, changes: object = {}): Promise<Upload> {
  server.assign(assignmentOf('', { script: { source, version: 1 }, ...changes }))
  await startTestAgent(mkdtempSync(join(parent, 'agent-')), {
    SOUNDLINE_URL: server.url,
    AGENT_TOKEN: TOKEN,
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8,10.20.0.0/16',
  })
  await expect.poll(() => server.uploads.length).toBe(1)
  return server.uploads[0] as Upload
}

describe('a first request that the networks of the agent do not let out', () => {
  test.each([
    ['http://10.9.9.9/', '10.9.9.9'],
    ['http://[fd00::1]:8080/', '[fd00::1]'],
  ])('to %s is uploaded with its host and the networks', async (url, host) => {
    const upload = await uploadOf(`get("${url}").expect(status: 200)\nget("http://127.0.0.1:${target.port}/")`)
    expect(upload).toMatchObject({
      refused: { host, allowedNetworks: ['127.0.0.0/8', '10.20.0.0/16'] },
      // A server of an earlier release knows only this.
      probe: { outcome: 'failure', calls: [{ error: expect.stringContaining('blocked_probe_target') }, {}] },
    })
  })

  test('hides a secret in its host', async () => {
    const values = { o: {}, w: {}, p: {}, s: { host: '10.9.9.9' } }
    const variables = { values, secrets: ['10.9.9.9'], restrictedSecrets: [] }
    const upload = await uploadOf('get("http://$s.host/")', { variables })
    expect(upload.refused?.host).toBe(MASK)
  })
})

test.each([
  ['of a second call', () => `get("http://127.0.0.1:${target.port}/")\nget("http://10.9.9.9/")`],
  ['of a redirect', () => `get("http://127.0.0.1:${target.port}/inside")`],
  ['of a port, which no network opens', () => 'get("http://10.20.0.5:25/")'],
])('the refusal %s is a failure', async (_, script) => {
  const upload = await uploadOf(script())
  expect(upload.probe?.outcome).toBe('failure')
  expect(upload.refused).toBeUndefined()
})

test.each([
  [['10.9.9.9'], true],
  [['fd00::1'], true],
  [['100.64.0.1'], true],
  [['93.184.215.14', '192.168.1.1'], true],
  // No target has such an address: the name is wrong.
  [['127.0.0.1'], false],
  [['0.0.0.0'], false],
  [['169.254.169.254'], false],
])('a name with the addresses %j is outside of the networks: %s', async (addresses, isOutside) => {
  const allowedNetworks = parseNetworks(['10.20.0.0/16'])
  const transport = createTransport({ allowedNetworks, resolver: async () => addresses })
  const outcome = await outcomeOf(transport(get('http://shop.example/')))
  expect(outcome).toMatchObject({ failure: 'blocked', message: expect.stringContaining('blocked_probe_target') })
  expect(outcome instanceof OutsideNetworks).toBe(isOutside)
})
