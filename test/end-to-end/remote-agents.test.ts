import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inArray, sql } from '#db/drizzle.cjs'
import { agentKeys } from '#db/schema/agents.ts'
import { serviceAgents } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { runs } from '#db/schema/runs.ts'
import { createEnrolment } from '#server/identity/auth/agent-enrolments.ts'
import { type AgentFront, startAgentFront } from '#test/support/agents/agent-front.ts'
import { type AgentProcess, agentProcesses } from '#test/support/agents/agent-processes.ts'
import { type DatabaseProxy, startProxy } from '#test/support/processes/proxy.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// Two remote agents behind proxies that drop, delay and cut their connections, while the agents are killed: each run has
// exactly one result per agent. KILLS=50 RUNS=2000 is the full proof.

const KILLS = Number(process.env.KILLS ?? 6)
/** Runs of one agent; a requested run is one for each of them. */
const RUNS = Number(process.env.RUNS ?? 40)
const AGENTS = 2
const SERVICES = 10
const ROUNDS = Math.max(1, Math.ceil(RUNS / AGENTS / SERVICES))

type Remote = {
  id: string
  proxy: DatabaseProxy
  environment: Record<string, string>
  process: AgentProcess
}

const database = probedDatabase()
const workers = testWorkers(database.url)
const start = agentProcesses()
let web: AgentFront
let target: HttpTarget
let services: ProbedService[] = []
const remotes: Remote[] = []

beforeAll(async () => {
  target = await startHttpTarget(async (_request, response) => {
    await sleep(100)
    response.setHeader('content-type', 'application/json')
    response.end('{"state":"fine"}')
  })
  web = await startAgentFront(database, {
    DATA_DIR: workers.folder,
    AGENT_STALE_SECONDS: '5',
    // Tests retry far more often than agents do.
    RATE_LIMIT_ENABLED: 'false',
  })
  // It reaps leases. It executes no runs, because no service names its agent.
  await workers.start({ WORKER_STALE_SECONDS: '5', AGENT_SLUG: 'reaper', AGENT_STALE_SECONDS: '5' })
  for (let nth = 0; nth < AGENTS; nth++) remotes.push(await enrolRemote(nth, web.url))
  const script = `get("http://127.0.0.1:${target.port}/").expect(status: 200, body: "{\\"state\\":\\"fine\\"}")`
  const given = { probeMode: 'simultaneous' as const, saveResponseBodies: true }
  services = await Promise.all(Array.from({ length: SERVICES }, () => database.createProbedService(script, given)))
  for (const { id: serviceId, organizationId } of services) {
    await database.db
      .insert(serviceAgents)
      .values(remotes.map(({ id: agentId }) => ({ serviceId, organizationId, agentId })))
  }
})

afterAll(async () => {
  for (const { proxy } of remotes) proxy.close()
  await web.close()
  await target.close()
})

async function enrolRemote(nth: number, webUrl: string): Promise<Remote> {
  const agent = await database.create.agent({ slug: `remote-${nth}`, label: `Remote ${nth}` })
  const { token } = await database.db.transaction((tx) => createEnrolment(tx, agent, null, new Date()))
  const proxy = await startProxy(webUrl)
  const environment = {
    SOUNDLINE_URL: proxy.url.replace(/\/$/, ''),
    AGENT_TOKEN: token,
    AGENT_DATA_DIR: mkdtempSync(join(workers.folder, 'agent-')),
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
  const process = start(environment)
  await until('the agent to connect', async () => process.output().includes('the agent is connected'))
  return { id: agent.id, proxy, environment, process }
}

/** What happens to an agent. Each returns when the agent can work again. */
const FAULTS: ((remote: Remote) => Promise<void>)[] = [
  async (remote) => {
    await remote.process.end('SIGKILL')
    remote.process = start(remote.environment)
  },
  async ({ proxy }) => proxy.reset(),
  async ({ proxy }) => {
    proxy.refuse()
    await sleep(1_500)
    proxy.restore()
  },
  async (remote) => {
    // The result reaches the disk and not the server.
    remote.proxy.refuse()
    await sleep(300)
    await remote.process.end('SIGKILL')
    remote.process = start(remote.environment)
    await sleep(300)
    remote.proxy.restore()
  },
  async ({ proxy }) => {
    proxy.stall()
    await sleep(1_000)
    proxy.restore()
  },
  async ({ proxy }) => {
    proxy.delay(200)
    await sleep(1_000)
    proxy.delay(0)
    proxy.reset()
  },
]

const runId = sql<string>`coalesce(${runs.runId}, ${runs.id})`
const partsOf = (requested: { runId: string }[]) =>
  database.db
    .select({ runId, agentId: runs.agentId, state: runs.state, attempt: runs.attempt })
    .from(runs)
    .where(
      inArray(
        runId,
        requested.map((run) => run.runId),
      ),
    )

const resultOf = (part: { runId: string | null; agentId: string }) => `${part.runId} ${part.agentId}`

test(
  'each run has exactly one result per agent, whatever happens to the agents',
  async () => {
    let faults = 0
    let isOver = false
    const chaos = (async () => {
      for (; !isOver && faults < KILLS; faults++) {
        await FAULTS[faults % FAULTS.length]?.(remotes[faults % AGENTS] as Remote)
        await sleep(500)
      }
    })()
    const accepted: { runId: string }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const requested = await Promise.all(services.map((service) => database.requestRunOf(service)))
      accepted.push(...requested)
      await until('all agents to finish the round', async () => {
        const parts = await partsOf(requested)
        return parts.length === requested.length * AGENTS && parts.every(({ state }) => state === 'done')
      })
    }
    isOver = true
    await chaos
    const parts = await partsOf(accepted)
    const stored = await database.db.select().from(results)
    expect(parts).toHaveLength(accepted.length * AGENTS)
    expect(new Set(parts.map(resultOf)).size).toBe(parts.length)
    // None is lost, none is doubled, none is invented.
    const ofRun = stored.map(resultOf).toSorted()
    expect(ofRun).toEqual(parts.map(resultOf).toSorted())
    expect(stored.map(({ status }) => status).filter((status) => status !== 'success')).toEqual([])
    expect(stored.every(({ steps }) => steps[0]?.body !== null)).toBe(true)
    const repeated = parts.filter(({ attempt }) => attempt > 1).length
    console.info(`${parts.length} results of ${accepted.length} runs, ${faults} faults, ${repeated} runs repeated`)
  },
  KILLS * 60_000 + ROUNDS * 120_000,
)

test('a revoked agent stops', async () => {
  const remote = remotes[1] as Remote
  await database.db
    .update(agentKeys)
    .set({ revokedAt: new Date() })
    .where(inArray(agentKeys.agentId, [remote.id]))
  expect(await remote.process.ended).toBe(77)
  expect(remote.process.output()).toContain('agent_revoked')
})
