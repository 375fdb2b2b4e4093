import { z } from 'zod'
import { IncidentId, OrgUserId, openEnum } from '../conventions.ts'
import { INCIDENT_SEVERITIES } from './incidents.ts'

// What members change of an incident besides its notes.

export const POST_MORTEM_MAX = 65_536
/** The most incidents that one request acknowledges, or whose acknowledgement it takes back. */
export const ACKNOWLEDGE_MAX = 100
export const ACKNOWLEDGE_OUTCOMES = ['acknowledged', 'unacknowledged', 'unchanged', 'not_found'] as const

/** An empty text removes the post-mortem. */
export const PostMortemText = z.string().trim().max(POST_MORTEM_MAX).meta({
  description: 'The post-mortem, in Markdown. Trimmed; null or an empty text removes it.',
  example: '## Cause\n\nThe database was full.',
})

/** A field that is absent stays as it is. */
export const IncidentChange = z.object({
  assigneeId: OrgUserId.nullish().meta({
    description:
      'The membership that takes care of the incident, of `GET /incidents/{id}/assignees`; null for no one. The member is notified by mail, except by their own assignment.',
  }),
  severity: z.enum(INCIDENT_SEVERITIES).nullish().meta({
    description: 'The severity; null for that of the label of the service.',
    example: 'high',
  }),
  postMortem: PostMortemText.nullish(),
})

export const IncidentSelection = z.object({
  ids: z
    .array(IncidentId)
    .min(1)
    .max(ACKNOWLEDGE_MAX)
    .meta({
      description: `The incidents, at most ${ACKNOWLEDGE_MAX}. Duplicates are ignored.`,
      example: [IncidentId.meta()?.example],
    }),
})

export const AcknowledgeOutcome = z
  .object({
    incidentId: IncidentId,
    outcome: openEnum(ACKNOWLEDGE_OUTCOMES).meta({
      description:
        '`acknowledged` or `unacknowledged`, `unchanged` when it was so before, or `not_found` when it does not exist or the caller may not change its service.',
      example: 'acknowledged',
    }),
  })
  .meta({ id: 'AcknowledgeOutcome', description: 'What a request did with one of its incidents.' })

export const AcknowledgeResult = z
  .object({
    incidents: z
      .array(AcknowledgeOutcome)
      .meta({ description: 'One entry per incident, in the order of the request.' }),
  })
  .meta({ id: 'AcknowledgeResult', description: 'What a request did with each of its incidents.' })
export type AcknowledgeResult = z.output<typeof AcknowledgeResult>

export const IncidentAssignee = z
  .object({
    orgUserId: OrgUserId.meta({ description: 'The membership, for `assigneeId`.' }),
    name: z.string().meta({ description: 'The name of the member.', example: 'Ada Lovelace' }),
    email: z.string().meta({ description: 'The address of the member.', example: 'ada@example.com' }),
    isCaller: z.boolean().meta({ description: 'Whether it is the caller.', example: true }),
  })
  .meta({ id: 'IncidentAssignee', description: 'A member to whom an incident can be assigned.' })
