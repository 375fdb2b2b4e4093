import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { incidents } from '#db/schema/alerts.ts'
import { serviceAgents } from '#db/schema/resources.ts'
import { createEnrolment } from '#server/identity/auth/agent-enrolments.ts'
import type { AgentHealth } from '#server/schemas/agents.ts'
import { type AgentFront, startAgentFront } from '#test/support/agents/agent-front.ts'
import { type AgentProcess, agentProcesses } from '#test/support/agents/agent-processes.ts'
import { makeCertificate } from '#test/support/certificates.ts'
import type { Tree } from '#test/support/factories.ts'
import { testFolder } from '#test/support/folder.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// Real agents of an organization, and the front that they talk to. No worker runs.

const database = probedDatabase()
const start = agentProcesses()
const folder = testFolder()
let web: AgentFront
let target: HttpTarget
let secureTarget: HttpTarget
let tree: Tree
type Agent = { id: string; environment: Record<string, string>; process: AgentProcess }
const agents: Record<string, Agent> = {}
/** Requests at the target. The first one is never answered. */
let requests = 0

beforeAll(async () => {
  const certificate = await makeCertificate('valid')
  target = await startHttpTarget((_request, response) => {
    requests++
    if (requests > 1) response.end('{}')
  })
  secureTarget = await startHttpTarget((_request, response) => response.end('{}'), { certificate })
  web = await startAgentFront(database, { DATA_DIR: folder })
  tree = await database.create.tree()
  const authority = join(folder, 'ca.pem')
  writeFileSync(authority, certificate.ca)
  await enrol('oslo', { PROBE_ALLOWED_NETWORKS: '127.0.0.0/8,10.99.0.0/16', PROBE_CA_FILE: authority })
  // It lacks what the targets need: a network, or their authority.
  await enrol('frankfurt', { PROBE_ALLOWED_NETWORKS: '127.0.0.0/8' })
})
afterAll(async () => {
  await web.close()
  await target.close()
  await secureTarget.close()
})

async function enrol(slug: string, given: Record<string, string>): Promise<void> {
  const agent = await database.create.agent({ slug, organizationId: tree.organization.id })
  const { token } = await database.db.transaction((tx) => createEnrolment(tx, agent, null, new Date()))
  const AGENT_DATA_DIR = mkdtempSync(join(folder, 'agent-'))
  const environment = { SOUNDLINE_URL: web.url, AGENT_TOKEN: token, AGENT_DATA_DIR, ...given }
  const process = start(environment)
  agents[slug] = { id: agent.id, environment, process }
  await until('the agent to connect', async () => process.output().includes('the agent is connected'))
}

/** Requests a run of a new service on these agents, each for itself, and returns the service. */
async function request(slugs: string[], script: string) {
  const given = { script, isActive: true, version: 2, probeMode: 'simultaneous' as const }
  const service = await database.create.service(tree.project, given)
  const { organizationId, id: serviceId } = service
  const named = slugs.map((slug) => ({ organizationId, serviceId, agentId: agents[slug]?.id as string }))
  await database.db.insert(serviceAgents).values(named)
  await database.requestRunOf(service)
  return service
}

async function runOn(slugs: string[], script: string) {
  const service = await request(slugs, script)
  await until('the results', async () => (await database.resultsOf(service)).length === slugs.length)
  return service
}

const healthOf = async (slug: string): Promise<AgentHealth> => {
  const headers = { Authorization: `Bearer ${tree.owner.token}` }
  return (await fetch(`${web.url}/api/public/v1/agents/${agents[slug]?.id}/health`, { headers })).json()
}

test('a run that its agent may not perform is skipped with the reason, and opens no incident', async () => {
  // Several calls, which the installation judges before the run too.
  const service = await runOn(['frankfurt'], 'get("http://10.99.0.5/").expect(status: 200)\n'.repeat(4))
  expect(await database.resultsOf(service)).toMatchObject([
    {
      status: 'skipped',
      summary: 'the agent frankfurt may not reach 10.99.0.5: its allowed networks are 127.0.0.0/8',
    },
  ])
  expect(await database.db.$count(incidents, eq(incidents.serviceId, service.id))).toBe(0)
  expect(await healthOf('frankfurt')).toMatchObject({ allowedNetworks: ['127.0.0.0/8'] })
})

test('an agent that alone fails what passes elsewhere is named', async () => {
  const script = `get("https://localhost:${secureTarget.port}/").expect(status: 200)`
  for (let nth = 0; nth < 4; nth++) await runOn(['oslo', 'frankfurt'], script)
  expect(await healthOf('frankfurt')).toMatchObject({ failsAlone: null })
  const service = await runOn(['oslo', 'frankfurt'], script)
  const statuses = (await database.resultsOf(service)).map(({ agentSlug, status }) => `${agentSlug} ${status}`)
  expect(statuses.sort()).toEqual(['frankfurt failure', 'oslo success'])
  expect(await healthOf('frankfurt')).toMatchObject({ failsAlone: { failed: 5, compared: 5 } })
  expect(await healthOf('oslo')).toMatchObject({ failsAlone: null, allowedNetworks: ['127.0.0.0/8', '10.99.0.0/16'] })
})

// No worker gives the run back: without the agent's own return, it would stay where it is.
test('an agent that was killed gets its run back when it connects again', async () => {
  const agent = agents.frankfurt as Agent
  const service = await request(['frankfurt'], `get("${target.url}/").expect(status: 200)`)
  await until('the run to be in flight', async () => requests === 1)
  await agent.process.end('SIGKILL')
  expect(await database.runsOf(service)).toMatchObject([{ state: 'running', attempt: 1 }])

  start(agent.environment)
  await until('the result', async () => (await database.resultsOf(service)).length > 0)
  expect(await database.runsOf(service)).toMatchObject([{ state: 'done', attempt: 2, deaths: 1, agentId: agent.id }])
  expect(await database.resultsOf(service)).toMatchObject([{ status: 'success', agentId: agent.id }])
})
