import { z } from 'zod'
import { ApiError } from '../../errors.ts'
import { INCIDENT_SEARCH_MAX, INCIDENT_SORTS } from '../../schemas/alerts/incident-query.ts'
import {
  INCIDENT_SEVERITIES,
  INCIDENT_STATES,
  type Incident,
  type IncidentDetails,
  type IncidentTimelineEntry,
} from '../../schemas/alerts/incidents.ts'
import { Id } from '../../schemas/conventions.ts'
import type { Result } from '../../schemas/results/results.ts'
import { presentStep } from './result-tools.ts'
import { type Caller, defineTool } from './tool.ts'

const SHOWN = 25
const VERSIONS_SHOWN = 20
const TIMELINE_SHOWN = 40

export const listIncidents = defineTool({
  name: 'list_incidents',
  title: 'List incidents',
  description: `Lists incidents, open ones first and newest first, ${SHOWN} per page: the service, the cause in one line, and the duration.`,
  access: 'read',
  input: z.object({
    state: z.enum(INCIDENT_STATES).optional(),
    severity: z.enum(INCIDENT_SEVERITIES).optional(),
    assignee: z.string().optional().meta({ description: 'The id of a membership, `me`, or `none`.' }),
    serviceId: Id.optional(),
    q: z.string().max(INCIDENT_SEARCH_MAX).optional().meta({ description: 'Words of the cause or the service.' }),
    sort: z.enum(INCIDENT_SORTS).optional().meta({ description: 'Newest first by default.' }),
    page: z.int().min(1).max(1_000).default(1),
  }),
  run: async (query, { call }) => {
    const { items, total } = await call((caller) => caller.incidents.list({ ...query, pageSize: SHOWN }))
    return {
      summary: `${items.length} of ${total} incidents`,
      data: { total, page: query.page, pageSize: SHOWN, incidents: items.map(presentIncident) },
    }
  },
})

export const explainIncident = defineTool({
  name: 'explain_incident',
  title: 'Explain an incident',
  description:
    'Explains one incident: the cause in parts, the failing step of the first failing run beside the same step of the ' +
    'last run that passed, the versions of the script that were saved in between, other incidents of the workspace ' +
    'that are open, and the timeline.',
  access: 'read',
  input: z.object({ incidentId: Id }),
  run: async ({ incidentId: id }, { call }) => {
    const incident = await call((caller) => caller.incidents.get({ id }))
    const [failing, passing] = await Promise.all([
      call((caller) => readStored(caller, incident, incident.firstResultId)),
      call((caller) => readStored(caller, incident, incident.lastPassingResultId)),
    ])
    const [versions, others] = await Promise.all([
      call((caller) => readChanges(caller, incident, failing, passing)),
      call((caller) => caller.incidents.list({ workspaceId: incident.workspaceId, state: 'open', pageSize: 10 })),
    ])
    return {
      summary: `${incident.serviceName} ${incident.state === 'open' ? 'is failing' : 'failed'}: ${incident.summary}`,
      data: {
        incident: presentIncident(incident),
        failure: incident.failure,
        postMortem: incident.postMortem?.text ?? null,
        agents: incident.agents,
        failingStep: stepOf(failing, incident.failure.step?.stepNum),
        sameStepWhenItPassed: stepOf(passing, incident.failure.step?.stepNum),
        whatChanged: {
          lastPassedAt: passing?.startedAt ?? null,
          scriptVersionWhenItPassed: passing?.scriptVersion ?? null,
          scriptVersionWhenItFailed: failing?.scriptVersion ?? null,
          scriptVersionsSavedInBetween: versions,
        },
        otherOpenIncidents: others.items.filter((other) => other.id !== id).map(presentIncident),
        timeline: incident.timeline.slice(-TIMELINE_SHOWN).map(presentEntry),
      },
    }
  },
})

/** Returns a result of the incident's service; null when it is not stored any more. */
async function readStored(caller: Caller, { serviceId }: Incident, resultId: string | null): Promise<Result | null> {
  if (resultId === null) return null
  return caller.results.get({ id: serviceId, resultId }).catch((error: unknown) => {
    if (error instanceof ApiError && error.api === 'not_found') return null
    throw error
  })
}

/** Returns the versions of the script that were saved after the run that passed, and which the failing run had. */
async function readChanges(caller: Caller, { serviceId }: Incident, failing: Result | null, passing: Result | null) {
  const [from, to] = [passing?.scriptVersion, failing?.scriptVersion]
  if (from == null || to == null || from === to) return []
  const { items } = await caller.services.versions.list({ id: serviceId, page: 1, pageSize: VERSIONS_SHOWN })
  return items
    .filter(({ version }) => version > from && version <= to)
    .map(({ version, createdAt, author, keyName }) => ({ version, savedAt: createdAt, by: author?.name, keyName }))
}

function stepOf(result: Result | null, stepNum: number | undefined) {
  const step = result?.steps.find((each) => each.stepNum === stepNum)
  return step ? { resultId: result?.id, ...presentStep(step) } : null
}

export function presentIncident(incident: Incident | IncidentDetails): Record<string, unknown> {
  const { id, serviceId, serviceName, state, summary, failingSince, openedAt, closedAt, durationMs } = incident
  const { acknowledgedAt, acknowledgedBy, assignee, severity, flappingSince, url } = incident
  return {
    ...{ id, serviceId, serviceName, state, summary, failingSince, openedAt, closedAt, durationMs },
    ...{
      acknowledgedAt,
      acknowledgedBy: acknowledgedBy?.name ?? null,
      assignee: assignee?.name ?? null,
      severity,
      flappingSince,
      url,
    },
  }
}

function presentEntry({ at, kind, text, reason, member, event, message }: IncidentTimelineEntry) {
  const sent = message && { channel: message.channel, state: message.state, reason: message.reason }
  return { at, kind, text: text ?? reason, by: member?.name ?? null, event, message: sent }
}
