import { z } from 'zod'
import { AGENT_SLUG_EXAMPLE } from '../agents.ts'
import {
  AgentId,
  IncidentId,
  Instant,
  idOf,
  OrgUserId,
  openEnum,
  ProjectId,
  pageOf,
  ResultId,
  ServiceId,
  WorkspaceId,
} from '../conventions.ts'
import { RunFailure } from '../results/failures.ts'
import { RunStatus } from '../runs.ts'
import { AlertMessage } from './messages.ts'

export const INCIDENT_STATES = ['open', 'closed'] as const
export const INCIDENT_SEVERITIES = ['critical', 'high', 'medium', 'low'] as const
/** Whether a member set the severity, or the label of the service names it. */
export const SEVERITY_SOURCES = ['member', 'label'] as const
export const INCIDENT_NOTE_MAX = 4_096
/** How many notes of an incident are shown, how many changes by members, and how many entries its timeline has: the newest. */
export const INCIDENT_NOTES_SHOWN = 100
export const INCIDENT_CHANGES_SHOWN = 100
/** How many notes an incident may have. */
export const INCIDENT_NOTES_MAX = 500
export const TIMELINE_MAX = 500

/** What members do with an incident besides notes. */
export const INCIDENT_CHANGE_KINDS = [
  'acknowledged',
  'unacknowledged',
  'assigned',
  'unassigned',
  'severity',
  'post_mortem',
] as const

/** The entries of a timeline. The first four are events. */
export const TIMELINE_KINDS = [
  'service.failed',
  'service.recovered',
  'service.reminder',
  'service.flapping',
  'script_saved',
  'message',
  ...INCIDENT_CHANGE_KINDS,
  'note',
] as const

const AT = '2026-11-20T12:30:00.000Z'

/** A member as the author of a note or an acknowledgement, or as assignee. */
export const IncidentMember = z
  .object({
    orgUserId: OrgUserId.meta({ description: 'The membership, as in silences.' }),
    name: z.string().meta({ description: "The member's name at that time.", example: 'Ada Lovelace' }),
  })
  .meta({
    id: 'IncidentMember',
    description: 'A member who acknowledged an incident, wrote a note or is the assignee.',
  })

export const IncidentAgent = z
  .object({
    agentId: AgentId,
    agentSlug: z.string().meta({ description: 'The slug of the agent.', example: AGENT_SLUG_EXAMPLE }),
    status: RunStatus.meta({ description: 'What the agent saw last.', example: 'failure' }),
    since: Instant.meta({ description: 'When the agent first saw this status in the current streak.', example: AT }),
    failingRuns: z.int().meta({ description: 'Failures in a row on this agent.', example: 3 }),
    summary: z.string().nullable().meta({
      description: 'Why its last run failed, in one line; null after a success.',
      example: 'GET https://shop.example/cart: status 500, expected 200',
    }),
    resultId: ResultId.meta({ description: 'The result of its last run.' }),
  })
  .meta({ id: 'IncidentAgent', description: "An agent's own view of the service." })

export const Incident = z
  .object({
    id: IncidentId,
    serviceId: ServiceId.meta({ description: 'The service that failed.' }),
    serviceName: z.string().meta({ description: 'The name of the service.', example: 'Checkout' }),
    projectId: ProjectId.meta({ description: 'The project of the service.' }),
    workspaceId: WorkspaceId.meta({ description: 'The workspace of the service.' }),
    state: openEnum(INCIDENT_STATES).meta({ description: '`open` until the service recovers.', example: 'open' }),
    openedAt: Instant.meta({
      description: 'The start of the run with which the failure was confirmed.',
      example: AT,
    }),
    closedAt: Instant.nullable().meta({
      description: 'The start of the run with which the service recovered; null while the incident is open.',
      example: null,
    }),
    failingSince: Instant.meta({
      description: 'The start of the first failing run, which can be before `openedAt`.',
      example: '2026-11-20T12:20:00.000Z',
    }),
    durationMs: z.int().meta({
      description: 'From `failingSince` to the recovery, or to now while the incident is open, in milliseconds.',
      example: 600_000,
    }),
    summary: z.string().meta({
      description: 'The cause in one line: what failed in the run that opened the incident.',
      example: 'GET https://shop.example/cart: status 500, expected 200',
    }),
    failure: RunFailure,
    agents: z.array(IncidentAgent).meta({
      description: 'What each agent of the service sees now; for a closed incident, what it saw last before the end.',
    }),
    firstResultId: ResultId.meta({
      description: 'The first failing result in a row. The failure can be confirmed by a later one.',
    }),
    lastPassingResultId: ResultId.nullable().meta({
      description: 'The last result before the incident that passed; null when none did.',
      example: '019aa0ef-7f2b-7c3d-8e4f-6a5b4c3d2e1f',
    }),
    recoveredResultId: ResultId.nullable().meta({
      description: 'The result that closed the incident; null while it is open.',
      example: null,
    }),
    acknowledgedAt: Instant.nullable().meta({
      description:
        'When a member acknowledged first; null until one does, and after the acknowledgement is taken back.',
      example: null,
    }),
    acknowledgedBy: IncidentMember.nullable().meta({
      description: 'Who acknowledged first; null until a member does, and after the acknowledgement is taken back.',
      example: null,
    }),
    flappingSince: Instant.nullable().meta({
      description:
        'Since when the service changes so often that the incident stays open until a quarter of an hour without a change. Kept when it closes then; null for other incidents.',
      example: null,
    }),
    assignedAt: Instant.nullable().meta({
      description: 'When it was assigned to the present assignee; null without one.',
      example: null,
    }),
    assignee: IncidentMember.nullable().meta({
      description: 'The member who takes care of it; null until it is assigned.',
      example: null,
    }),
    severity: openEnum(INCIDENT_SEVERITIES).nullable().meta({
      description:
        'The severity that a member set, or else the label of the service where it is one of these words, in upper or lower case; otherwise null.',
      example: 'high',
    }),
    severitySource: openEnum(SEVERITY_SOURCES).nullable().meta({
      description:
        '`member` when a member set the severity, `label` when the label of the service names it; null without one.',
      example: 'label',
    }),
    lastRemindedAt: Instant.nullable().meta({
      description: 'When the last reminder was sent; null before the first.',
      example: null,
    }),
    url: z.string().nullable().meta({
      description: "The incident's page in the dashboard; null when the operator has configured no address.",
      example: 'https://probes.example.com/incidents/019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f',
    }),
  })
  .meta({
    id: 'Incident',
    description: 'One confirmed failure of a service, from its confirmation to the recovery.',
  })
export type Incident = z.output<typeof Incident>

export const IncidentPage = pageOf(Incident, 'IncidentPage')

export const IncidentNote = z
  .object({
    id: idOf('The id of the note.', '019aa0f5-0a1b-7c2d-8e3f-4a5b6c7d8e9f'),
    text: z.string().meta({
      description: 'What the member wrote; it can have several lines.',
      example: 'The payment provider is down. We wait for them.',
    }),
    createdAt: Instant.meta({ description: 'When it was written.', example: AT }),
    author: IncidentMember,
  })
  .meta({ id: 'IncidentNote', description: 'What a member wrote about an incident.' })
export type IncidentNote = z.output<typeof IncidentNote>

export const IncidentTimelineEntry = z
  .object({
    at: Instant.meta({ description: 'When it happened.', example: AT }),
    kind: openEnum(TIMELINE_KINDS).meta({ description: 'What happened.', example: 'note' }),
    text: z.string().nullable().meta({
      description:
        'What failed for `service.failed`, the text of a note, the name of the assignee for `assigned`, the new severity for `severity` (null for that of the label), the number of the version for `script_saved`, and otherwise null.',
      example: 'The payment provider is down. We wait for them.',
    }),
    reason: z.string().nullable().meta({
      description: 'Why no one was notified of the event, such as `alertOnRecovery is false`; otherwise null.',
      example: null,
    }),
    member: IncidentMember.nullable().meta({
      description:
        'The member who did it, for acknowledgements, assignments and other changes, and notes; otherwise null.',
    }),
    event: z.string().nullable().meta({
      description: 'The kind of the event that a message is about; null for other kinds.',
      example: null,
    }),
    message: AlertMessage.nullable().meta({
      description:
        'The message, without names of other members unless the caller may read the section Users; null for other kinds.',
      example: null,
    }),
  })
  .meta({ id: 'IncidentTimelineEntry', description: 'One thing that happened during an incident.' })
export type IncidentTimelineEntry = z.output<typeof IncidentTimelineEntry>

export const IncidentPostMortem = z
  .object({
    text: z.string().meta({
      description: 'The text, in Markdown.',
      example: '## Cause\n\nThe database was full.',
    }),
    updatedAt: Instant.meta({ description: 'When it was saved last.', example: AT }),
    updatedBy: IncidentMember,
  })
  .meta({ id: 'IncidentPostMortem', description: 'What members learned from an incident.' })
export type IncidentPostMortem = z.output<typeof IncidentPostMortem>

export const IncidentDetails = Incident.extend({
  postMortem: IncidentPostMortem.nullable().meta({ description: 'The post-mortem; null until a member writes one.' }),
  notes: z
    .array(IncidentNote)
    .meta({ description: `The notes, oldest first; at most the latest ${INCIDENT_NOTES_SHOWN}.` }),
  timeline: z.array(IncidentTimelineEntry).meta({
    description: `State changes, reminders, messages, what members did, and notes, oldest first; at most the latest ${TIMELINE_MAX}.`,
  }),
  timelineTruncated: z.boolean().meta({
    description: 'Whether older entries are left out of the timeline.',
    example: false,
  }),
}).meta({ id: 'IncidentDetails', description: 'An incident with its notes and what happened during it.' })
export type IncidentDetails = z.output<typeof IncidentDetails>

export const IncidentNoteText = z
  .string()
  .trim()
  .min(1)
  .max(INCIDENT_NOTE_MAX)
  .meta({ description: 'The text. Trimmed; it can have several lines.', example: 'The payment provider is down.' })
