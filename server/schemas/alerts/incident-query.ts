import { z } from 'zod'
import { AGENT_SLUG_EXAMPLE } from '../agents.ts'
import { Id, PageQuery, ProjectId, pageOf, ServiceId, WorkspaceId } from '../conventions.ts'
import { queryInstant } from '../results/query-instant.ts'
import { INCIDENT_SEVERITIES, INCIDENT_STATES, Incident } from './incidents.ts'

export const INCIDENT_SORTS = ['newest', 'longest'] as const
/** The most characters of a search. */
export const INCIDENT_SEARCH_MAX = 200

export const IncidentQuery = PageQuery.extend({
  serviceId: ServiceId.optional().meta({ description: 'Only incidents of this service.' }),
  projectId: ProjectId.optional().meta({ description: 'Only incidents of services in this project.' }),
  workspaceId: WorkspaceId.optional().meta({
    description: 'Only incidents of services in this workspace. At most one of the three ids may be given.',
  }),
  state: z
    .enum(INCIDENT_STATES)
    .optional()
    .meta({ description: 'Only open or only closed incidents.', example: 'open' }),
  severity: z
    .enum(INCIDENT_SEVERITIES)
    .optional()
    .meta({ description: 'Only incidents of this severity, set by a member or by the label.', example: 'critical' }),
  assignee: z
    .string()
    .refine(
      (value) => value === 'me' || value === 'none' || Id.safeParse(value).success,
      'must be the id of a membership, me or none',
    )
    .optional()
    .meta({
      description:
        'Only incidents of this assignee: the id of a membership, `me` for the caller, `none` for unassigned ones.',
      example: 'me',
    }),
  acknowledged: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Only acknowledged incidents, or only those that are not.', example: 'false' }),
  q: z.string().trim().normalize('NFC').max(INCIDENT_SEARCH_MAX).optional().meta({
    description: 'Only incidents with all of these words in the cause or the name of the service, in any case.',
    example: '503 checkout',
  }),
  label: z
    .string()
    .trim()
    .normalize('NFC')
    .max(64)
    .optional()
    .meta({ description: 'Only incidents of services with this label, in any case.', example: 'production' }),
  agent: z.string().trim().max(64).optional().meta({
    description: 'Only incidents in which the agent with this slug failed.',
    example: AGENT_SLUG_EXAMPLE,
  }),
  since: queryInstant('Only incidents that lasted until this time or longer. A date means midnight in UTC.').optional(),
  until: queryInstant('Only incidents that began at or before this time.').optional(),
  sort: z.enum(INCIDENT_SORTS).default('newest').meta({
    description: '`newest`: open ones first, then the newest first. `longest`: the longest first, open or closed.',
    example: 'newest',
  }),
})

/** The list of the dashboard says of each incident whether the member may change it. */
export const IncidentSearchPage = pageOf(Incident.extend({ mayWrite: z.boolean() }), 'IncidentSearchPage')
