import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll } from 'vitest'
import type { Db } from '#db/client.ts'
import { eq, sql } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'
import { runs } from '#db/schema/runs.ts'
import { type AgentGateway, createAgentGateway } from '#server/fronts/agents/gateway.ts'
import { createEnrolment } from '#server/identity/auth/agent-enrolments.ts'
import { runScript } from '#server/language/lace/executor.ts'
import type { Assignment, PollAnswer, Upload } from '#server/schemas/agents/protocol.ts'
import { SCRIPT_SCOPES } from '#server/scripts/script-scopes.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createTransport } from '#worker/http/client.ts'
import { testApi } from '../api/api.ts'
import { required } from '../database.ts'
import { createProbedService, type ProbedService, requestRunOf } from '../runs/probed.ts'
import { enrolClient, type SignedClient } from './signed-client.ts'

const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.0/8']) })

export type GatewayWorld = ReturnType<typeof gatewayWorld>

/** The gateway in process, on a database for the test file. */
export function gatewayWorld(settings: Record<string, string> = {}) {
  const clock = { aheadMs: 0 }
  const t = testApi({
    settings: { TRUSTED_DOMAIN_MODE: 'true', ...settings },
    now: () => new Date(Date.now() + clock.aheadMs),
  })
  let gateway: AgentGateway | null = null
  beforeAll(() => {
    gateway = createAgentGateway(t.runtime)
  })
  afterAll(async () => {
    gateway?.endPolls()
    await gateway?.close()
  })

  const world = {
    t,
    clock,
    get gateway(): AgentGateway {
      return required(gateway)
    },

    async createToken(agent: { id: string; organizationId: string | null }): Promise<string> {
      const { token } = await t.db.transaction((tx) => createEnrolment(tx, agent, null, t.runtime.now()))
      return token
    },

    /** An agent of the organization with one process; of all organizations with null. */
    async enrol(organizationId: string | null): Promise<SignedClient & { agent: { id: string; slug: string } }> {
      const agent = await t.create.agent({ organizationId })
      return { ...(await enrolClient(world.gateway, await world.createToken(agent))), agent }
    },

    /** An active service of a new organization that runs on this agent. */
    async createService(script: string, given: Partial<ProbedService> = {}): Promise<ProbedService> {
      return createProbedService(t.db, script, given)
    },

    /** Queues a run of the service on the agent. The service names it if it is one of its organization. */
    async queueRun(service: ProbedService, agent: { id: string }): Promise<string> {
      await nameOwnAgent(t.db, service, agent)
      const { runId: id } = await requestRunOf(t.db, service)
      await t.db.update(runs).set({ agentId: agent.id, state: 'queued' }).where(eq(runs.id, id))
      return id
    },

    async poll(client: SignedClient, free = 8): Promise<Assignment[]> {
      const { body } = await client.send<PollAnswer>('poll', { instance: client.instance, free, waitSeconds: 0 })
      return body.runs
    },

    auditOf(organizationId: string) {
      return t.db.select().from(auditEntries).where(eq(auditEntries.organizationId, organizationId))
    },
  }
  return world
}

/** Lets a service name an agent of its organization: such an agent gets no other runs. */
export async function nameOwnAgent(db: Db, service: ProbedService, agent: { id: string }): Promise<void> {
  await db.execute(sql`
    insert into service_agents (organization_id, service_id, agent_id)
    select ${service.organizationId}::uuid, ${service.id}::uuid, a.id from agents a
    where a.id = ${agent.id} and a.organization_id = ${service.organizationId}
    on conflict do nothing`)
}

/** Executes an assignment with the real language and transport, and returns its result as the agent uploads it. */
export async function execute({ id, attempt, script, variables, prev }: Assignment): Promise<Upload> {
  const probe = await runScript({
    source: script.source,
    variables: variables.values,
    scopes: SCRIPT_SCOPES,
    prev: prev as never,
    transport,
  })
  return {
    id,
    attempt,
    startedAt: probe.startedAt,
    probe: JSON.parse(JSON.stringify(probe)),
    broken: null,
    timeoutPhases: [],
    certificates: [],
    bodies: [],
    waitedMs: 0,
  }
}

export function readStoredBody(folder: string, key: string): Promise<string> {
  return readFile(`${folder}/bodies/${key}`, 'utf8')
}
