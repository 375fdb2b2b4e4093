import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { type AgentObservation, alertEvents, incidents } from '#db/schema/alerts.ts'
import { MINUTE_MS } from '#server/durations.ts'
import { createIdAt } from '#server/results/results/ids.ts'

// Incidents as rows, for tests that read them. Other tests cover how incidents are stored.

type ServiceRef = { id: string; organizationId: string }
type IncidentRow = typeof incidents.$inferSelect
type EventRow = typeof alertEvents.$inferSelect

const SUMMARY = 'GET https://shop.example/cart: status 500, expected 200'

/** Returns the row of an open incident that was opened a minute ago. */
export function incidentRow(service: ServiceRef, given: Partial<IncidentRow> = {}): IncidentRow {
  const openedAt = given.openedAt ?? new Date(Date.now() - MINUTE_MS)
  return {
    id: uuidv7(),
    organizationId: service.organizationId,
    serviceId: service.id,
    openedAt,
    closedAt: null,
    failingSince: openedAt,
    summary: SUMMARY,
    failure: {
      summary: SUMMARY,
      cause: 'status 500, expected 200',
      status: 'failure',
      step: { stepNum: 1, method: 'GET', url: 'https://shop.example/cart', statusCode: 500 },
      assertion: { stepNum: 1, method: 'expect', scope: 'status', op: 'eq', expected: 200, actual: 500 },
      error: null,
      phase: null,
      moreFailed: 0,
      excerpt: null,
    },
    firstResultId: createIdAt(openedAt),
    lastPassingResultId: null,
    recoveredResultId: null,
    agents: [observation({ since: openedAt.toISOString() })],
    acknowledgedAt: null,
    acknowledgedBy: null,
    acknowledgedName: null,
    flappingSince: null,
    remindedAt: null,
    severity: null,
    assignedAt: null,
    assignedTo: null,
    assignedName: null,
    ...given,
  }
}

export async function createIncident(
  db: Db,
  service: ServiceRef,
  given: Partial<IncidentRow> = {},
): Promise<IncidentRow> {
  const row = incidentRow(service, given)
  await db.insert(incidents).values(row)
  return row
}

/** What an agent saw last: a failure unless given otherwise. */
export function observation(given: Partial<AgentObservation> = {}): AgentObservation {
  return {
    agentId: uuidv7(),
    agentSlug: 'local',
    status: 'failure',
    since: new Date().toISOString(),
    failingRuns: 1,
    summary: SUMMARY,
    resultId: createIdAt(new Date()),
    ...given,
  }
}

/** Inserts an event of the incident. Its time is the incident's start unless given. */
export async function createIncidentEvent(
  db: Db,
  incident: IncidentRow,
  given: Partial<EventRow> = {},
): Promise<EventRow> {
  const row = {
    id: uuidv7(),
    organizationId: incident.organizationId,
    serviceId: incident.serviceId,
    resultId: null,
    incidentId: incident.id,
    agentId: null,
    kind: 'service.failed' as const,
    payload: {},
    createdAt: incident.openedAt,
    notifiedAt: null,
    suppressedReason: null,
    ...given,
  }
  await db.insert(alertEvents).values(row)
  return row
}
