import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { bodyStores, forgottenBodyStores } from '#db/schema/body-stores.ts'
import { results, runHours, type StoredStep, serviceStates } from '#db/schema/results.ts'
import { HOUR_MS } from '#server/durations.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import { mergeSketches } from '#server/results/statistics/sketch.ts'
import type { ResultStep } from '#server/schemas/results/results.ts'

// Results as rows, for tests that read them. Other tests cover how results are stored.

type ServiceRef = { id: string; organizationId: string }
type ResultRow = typeof results.$inferSelect
type StateRow = typeof serviceStates.$inferSelect

export async function createResult(db: Db, service: ServiceRef, given: Partial<ResultRow> = {}): Promise<ResultRow> {
  const startedAt = given.startedAt ?? new Date()
  await ensurePartitions(db, startedAt, 1)
  const row = resultRow(service, startedAt, given)
  await db.insert(results).values(row)
  if (!row.isUncounted) await count(db, row)
  return row
}

/** Returns the row of a successful result. */
export function resultRow(service: ServiceRef, startedAt: Date, given: Partial<ResultRow> = {}): ResultRow {
  return {
    organizationId: service.organizationId,
    serviceId: service.id,
    startedAt,
    id: createIdAt(startedAt),
    agentId: uuidv7(),
    agentSlug: 'local',
    status: 'success',
    runDurationMs: 120,
    totalResponseMs: 100,
    callCount: 1,
    failedCalls: 0,
    summary: null,
    scriptVersion: null,
    runId: null,
    cause: null,
    isUncounted: null,
    recheckOf: null,
    recheckedBy: null,
    duringMaintenance: null,
    raw: { outcome: 'success', calls: [] },
    steps: [],
    ...given,
  }
}

/** Adds the row to the roll-ups, which pages of results are counted with. */
async function count(db: Db, row: ResultRow): Promise<void> {
  const { organizationId, serviceId, agentSlug, startedAt } = row
  const place = { organizationId, serviceId, agentSlug }
  const counters = row.status === 'skipped' ? { skipped: 1 } : { runs: 1, [row.status]: 1 }
  await db
    .insert(runHours)
    .values({ ...place, hour: new Date(Math.floor(startedAt.getTime() / HOUR_MS) * HOUR_MS), ...counters })
    .onConflictDoUpdate({
      target: [runHours.organizationId, runHours.serviceId, runHours.hour, runHours.agentSlug],
      set: Object.fromEntries(Object.keys(counters).map((name) => [name, sql`${runHours[name as 'runs']} + 1`])),
    })
}

export function step(given: Partial<StoredStep> = {}): StoredStep {
  return {
    id: uuidv7(),
    stepNum: 1,
    requestUrl: 'https://status.example.com/health',
    method: 'GET',
    template: 'https://status.example.com/health',
    statusCode: 200,
    responseTimeMs: 100,
    dnsMs: 5,
    connectMs: 10,
    tlsMs: 20,
    ttfbMs: 60,
    transferMs: 5,
    responseSizeBytes: 2,
    outcome: 'success',
    error: null,
    assertionResults: [],
    headers: { 'content-type': 'text/plain' },
    body: null,
    bodyNotStoredReason: 'not_requested',
    ...given,
  }
}

/** Inserts the state of a service after its last run. */
export async function setState(db: Db, service: ServiceRef, given: Partial<StateRow> = {}): Promise<void> {
  await db.insert(serviceStates).values({ serviceId: service.id, organizationId: service.organizationId, ...given })
}

/** Inserts the roll-up of one hour with runs of these latencies. */
export async function addHour(db: Db, service: ServiceRef, hour: Date, ms: number[], agentSlug = 'local') {
  await db.insert(runHours).values({
    organizationId: service.organizationId,
    serviceId: service.id,
    hour: new Date(Math.floor(hour.getTime() / HOUR_MS) * HOUR_MS),
    agentSlug,
    runs: ms.length,
    success: ms.length,
    sumMs: ms.reduce((sum, value) => sum + value, 0),
    callCount: ms.length,
    ...mergeSketches([{ ms, bins: null }]),
  })
}

export async function createStore(db: Db, url: string): Promise<string> {
  const id = uuidv7()
  await db.insert(bodyStores).values({ id, label: 'Test', url })
  return id
}

/** Records that the organization gave the store up: bodies of runs until then are not read from it. */
export async function forgetStore(db: Db, organizationId: string, storeId: string, forgottenAt: Date): Promise<void> {
  await db.insert(forgottenBodyStores).values({ organizationId, storeId, forgottenAt })
}

/** A step as a result shows it: a GET that passed, without assertions, headers and body. */
export function resultStep(given: Partial<ResultStep> = {}): ResultStep {
  const { stepNum = 1 } = given
  return {
    id: `00000000-0000-4000-8000-00000000000${stepNum}`,
    stepNum,
    method: 'GET',
    urlTemplate: `https://a.example/${stepNum}`,
    outcome: 'success',
    requestUrl: `https://a.example/${stepNum}`,
    statusCode: 200,
    responseTimeMs: 80,
    dnsMs: 10,
    connectMs: 20,
    tlsMs: null,
    ttfbMs: 45,
    transferMs: 5,
    waitMs: 0,
    traceId: null,
    responseSizeBytes: 2,
    error: null,
    assertionResults: [],
    headers: {},
    hasBody: false,
    bodyNotStoredReason: 'no_body',
    ...given,
  }
}
