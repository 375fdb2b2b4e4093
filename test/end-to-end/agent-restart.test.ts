import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serviceAgents } from '#db/schema/resources.ts'
import { createEnrolment } from '#server/identity/auth/agent-enrolments.ts'
import { agentProcesses } from '#test/support/agents/agent-processes.ts'
import { testFolder } from '#test/support/folder.ts'
import { type FrontProcess, startFront } from '#test/support/processes/front-process.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// A remote agent is killed with a run in flight. No worker runs, so nothing but the agent's own return gives the run back:
// without it, the run would stay where it is.

const database = probedDatabase()
const start = agentProcesses()
const folder = testFolder()
let web: FrontProcess
let target: HttpTarget
let requests = 0

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => {
    requests++
    // The first request is never answered.
    if (requests > 1) response.end('{}')
  })
  web = await startFront({ DATABASE_URL: database.url, DATA_DIR: folder })
})
afterAll(async () => {
  await web.kill()
  await target.close()
})

test('an agent that was killed gets its run back when it connects again', async () => {
  const service = await database.createProbedService(`get("${target.url}/").expect(status: 200)`)
  const { organizationId, id: serviceId } = service
  const agent = await database.create.agent({ organizationId })
  await database.db.insert(serviceAgents).values({ organizationId, serviceId, agentId: agent.id })
  const { token } = await database.db.transaction((tx) => createEnrolment(tx, agent, null, new Date()))
  const environment = {
    SOUNDLINE_URL: web.url,
    AGENT_TOKEN: token,
    AGENT_DATA_DIR: mkdtempSync(join(folder, 'agent-')),
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
  const killed = start(environment)
  await until('the agent to connect', async () => killed.output().includes('the agent is connected'))
  await database.requestRunOf(service)
  await until('the run to be in flight', async () => requests === 1)
  await killed.end('SIGKILL')
  expect(await database.runsOf(service)).toMatchObject([{ state: 'running', attempt: 1 }])

  start(environment)
  await until('the result', async () => (await database.resultsOf(service)).length > 0)
  expect(await database.runsOf(service)).toMatchObject([{ state: 'done', attempt: 2, deaths: 1, agentId: agent.id }])
  expect(await database.resultsOf(service)).toMatchObject([{ status: 'success', agentId: agent.id }])
})
