import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { runs } from '#db/schema/runs.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import type { FinishedRun } from '#server/runs/record/finished-run.ts'
import type { Outcome } from '../oracles/verdict-oracle.ts'

export type RunOf = {
  service: { id: string; organizationId: string }
  agent: { id: string; slug: string }
  outcome: Outcome
  startedAt: Date
}

/** Builds a finished run of one request, which fails by its status or by its time limit. */
export function runOf({ service, agent, outcome, startedAt }: RunOf): FinishedRun {
  const assertion = { method: 'expect', scope: 'status', op: 'eq', expected: 200, actual: 500 }
  const step = {
    id: uuidv7(),
    stepNum: 1,
    requestUrl: 'https://shop.example/cart',
    method: 'GET',
    template: 'https://shop.example/cart',
    statusCode: outcome === 'timeout' ? null : outcome === 'failure' ? 500 : 200,
    ...{ responseTimeMs: 20, dnsMs: 1, connectMs: 1, tlsMs: 1, ttfbMs: 1, transferMs: 1, responseSizeBytes: 10 },
    outcome: outcome === 'skipped' ? ('success' as const) : outcome,
    timeoutPhase: outcome === 'timeout' ? ('connect' as const) : null,
    error: outcome === 'timeout' ? 'no response within 1000 ms (connecting)' : null,
    ...(outcome === 'timeout' && { timeoutPhase: 'connect' as const }),
    assertionResults: outcome === 'failure' ? [{ ...assertion, outcome: 'failed' }] : [],
    headers: {},
    body: null,
    bodyNotStoredReason: 'no_body',
  }
  return {
    id: uuidv7(),
    attempt: 1,
    organizationId: service.organizationId,
    serviceId: service.id,
    agentId: agent.id,
    agentSlug: agent.slug,
    result: {
      id: createIdAt(startedAt),
      startedAt,
      status: outcome,
      runDurationMs: 25,
      totalResponseMs: 20,
      callCount: 1,
      failedCalls: outcome === 'success' ? 0 : 1,
      raw: { outcome, calls: [] },
      steps: outcome === 'skipped' ? [] : [step],
    },
    isTimed: outcome !== 'timeout' && outcome !== 'skipped',
    assertions: [],
    failedAssertions: outcome === 'failure' ? [{ ...assertion, stepNum: 1 }] : [],
    failedAssertionCount: outcome === 'failure' ? 1 : 0,
    writeBacks: [],
    writes: false,
  }
}

let slots = 0

/** Inserts the rows of runs that a worker has claimed, so that they can be stored. */
export async function insertRunning(db: Db, finished: FinishedRun[]): Promise<void> {
  const rows = finished.map(({ id, attempt, organizationId, serviceId, agentId }) => ({
    ...{ id, attempt, organizationId, serviceId, agentId },
    // Two runs of a service on an agent never have the same slot.
    slot: new Date(Date.now() + slots++),
    cause: 'request' as const,
    state: 'running' as const,
  }))
  await db.insert(runs).values(rows)
}

/** Inserts a requested run that waits, and that no worker promotes as long as none runs. Returns its id. */
export async function createWaitingRun(db: Db, service: { id: string; organizationId: string }): Promise<string> {
  const row = waitingRun(service, uuidv7())
  await db.insert(runs).values(row)
  return row.id
}

/** The row of such a run. */
export function waitingRun({ id: serviceId, organizationId }: { id: string; organizationId: string }, id: string) {
  const placed = { agentId: uuidv7(), slot: new Date(), cause: 'request' as const, state: 'waiting' as const }
  return { id, organizationId, serviceId, ...placed }
}
