import { z } from 'zod'
import type { EventKind } from '#db/schema/alerts.ts'
import { OrgUserId, openEnum, ProjectId, pageOf, ServiceId, SilenceId, WorkspaceId } from '../conventions.ts'

/** The kinds of event that a silence can apply to. */
export const EVENT_KINDS = [
  'service.failed',
  'service.recovered',
  'service.reminder',
  'service.flapping',
  'certificate.expiring',
  'agent.lost',
  'agent.back',
] as const satisfies readonly EventKind[]

/**
 * Whether a silence of these events covers a kind. A service that flaps is a kind of failure: who silenced failures hears
 * nothing of it.
 */
export function coversKind(events: readonly string[] | undefined, kind: string): boolean {
  if (events === undefined || events.includes(kind)) return true
  return kind === 'service.flapping' && events.includes('service.failed')
}

export const SILENCE_CHANNELS = ['email', 'all', 'quiet-hours'] as const

const CHANNEL = {
  description:
    '`email` (mails), `all` (every channel), or `quiet-hours` (mails of the whole organization; requires `quietHours` and no ' +
    'resource).',
  example: 'email',
}
const EXAMPLE_CONFIG = '{"events":["service.recovered"]}'
const EXAMPLE_HOURS = 'FREQ=DAILY;BYHOUR=22;BYMINUTE=0/480/Europe/Berlin'

/** `webhook` is a known channel that silences do not support: the operation refuses it with `field_invalid`. */
const Channel = z
  .enum([...SILENCE_CHANNELS, 'webhook'], `must be one of ${SILENCE_CHANNELS.join(', ')}`)
  .meta({ ...CHANNEL, override: { enum: [...SILENCE_CHANNELS] } })
/** The operation checks lengths and contents, because both are `field_invalid`. */
export const SILENCE_CONFIG_MAX = 4_096
export const QUIET_HOURS_MAX = 256
/** How many silences a member may have. Links in mails add others, at most one for each resource. */
export const SILENCES_MAX = 200

const Config = z.string().meta({
  maxLength: SILENCE_CONFIG_MAX,
  description:
    'A JSON object in a string. Known keys: `events` (array of event kinds; all when absent), `until` (ISO-8601, in the future).',
  example: EXAMPLE_CONFIG,
})
const QuietHours = z.string().meta({
  maxLength: QUIET_HOURS_MAX,
  description:
    '`RRULE[/minutes[/timezone]]`; by default 60 minutes and the time zone of the organization. ' +
    'The silence applies only while the window is open.',
  example: EXAMPLE_HOURS,
})

export const Silence = z
  .object({
    id: SilenceId,
    orgUserId: OrgUserId.meta({ description: "The caller's membership." }),
    workspaceId: WorkspaceId.nullable().meta({
      description: 'The workspace whose events are silenced; null for another scope.',
      example: null,
    }),
    projectId: ProjectId.nullable().meta({
      description: 'The project whose events are silenced; null for another scope.',
    }),
    serviceId: ServiceId.nullable().meta({
      description: 'The service whose events are silenced; null for another scope. Without any id: all events.',
      example: null,
    }),
    channel: openEnum(SILENCE_CHANNELS).meta(CHANNEL),
    config: z
      .string()
      .nullable()
      .meta({ description: 'A JSON object in a string; null without one.', example: EXAMPLE_CONFIG }),
    quietHours: z.string().nullable().meta({
      description: 'The window in which the silence applies; null for always.',
      example: EXAMPLE_HOURS,
    }),
    resourceName: z.string().nullable().meta({
      description: 'The name of the workspace, project or service; null without one, or when the caller cannot see it.',
      example: 'Storefront',
    }),
  })
  .meta({ id: 'Silence', description: 'A rule that suppresses notifications to the calling user.' })
export type Silence = z.output<typeof Silence>

export const SilencePage = pageOf(Silence, 'SilencePage')

export const SilenceCreate = z
  .object({
    channel: Channel,
    workspaceId: WorkspaceId.nullish().meta({ description: 'Silences this workspace.' }),
    projectId: ProjectId.nullish().meta({ description: 'Silences this project.' }),
    serviceId: ServiceId.nullish().meta({
      description:
        'Silences this service. At most one of the three ids may be given; without any, everything is silenced.',
    }),
    config: Config.nullish(),
    quietHours: QuietHours.nullish(),
  })
  .meta({ example: { channel: 'email', projectId: ProjectId.meta()?.example, config: EXAMPLE_CONFIG } })

export const SilenceChange = z.object({
  channel: Channel.optional(),
  config: Config.nullable().optional(),
  quietHours: QuietHours.nullable().optional(),
})

/** The JSON object in `config`. */
export const SilenceConfig = z.strictObject({
  events: z.array(z.enum(EVENT_KINDS)).min(1).optional(),
  until: z.iso
    .datetime({ offset: true, error: 'must be an ISO-8601 time with a time zone, such as 2026-01-31T09:30:00Z' })
    .optional(),
})
export type SilenceConfig = z.output<typeof SilenceConfig>
