import { z } from 'zod'
import type { EventKind } from '#db/schema/alerts.ts'
import { Id, openEnum, pageOf } from '../conventions.ts'

/** The kinds of event that a silence can apply to. */
export const EVENT_KINDS = [
  'service.failed',
  'service.recovered',
  'service.reminder',
  'certificate.expiring',
  'agent.lost',
  'agent.back',
] as const satisfies readonly EventKind[]

export const SILENCE_CHANNELS = ['email', 'all', 'quiet-hours'] as const

/** `webhook` is a known channel that silences do not support: the operation refuses it with `field_invalid`. */
const Channel = z
  .enum([...SILENCE_CHANNELS, 'webhook'], `must be one of ${SILENCE_CHANNELS.join(', ')}`)
  .meta({ override: { enum: [...SILENCE_CHANNELS] } })
/** The operation checks lengths and contents, because both are `field_invalid`. */
export const SILENCE_CONFIG_MAX = 4_096
export const QUIET_HOURS_MAX = 256
/** How many silences a member may have. Links in mails add others, at most one for each resource. */
export const SILENCES_MAX = 200

const Config = z.string().meta({
  maxLength: SILENCE_CONFIG_MAX,
  description:
    'A JSON object in a string. Known keys: `events` (array of event kinds; all when absent), `until` (ISO-8601, in the future).',
})
const QuietHours = z.string().meta({
  maxLength: QUIET_HOURS_MAX,
  description:
    '`RRULE[/minutes[/timezone]]`; by default 60 minutes and the time zone of the organization. ' +
    'The silence applies only while the window is open.',
})

export const Silence = z
  .object({
    id: Id,
    orgUserId: Id,
    workspaceId: Id.nullable(),
    projectId: Id.nullable(),
    serviceId: Id.nullable(),
    channel: openEnum(SILENCE_CHANNELS),
    config: z.string().nullable(),
    quietHours: z.string().nullable(),
    resourceName: z.string().nullable(),
  })
  .meta({ id: 'Silence', description: 'A rule of the calling user that keeps notifications from being sent to them.' })
export type Silence = z.output<typeof Silence>

export const SilencePage = pageOf(Silence, 'SilencePage')

export const SilenceCreate = z.object({
  channel: Channel,
  workspaceId: Id.nullish(),
  projectId: Id.nullish(),
  serviceId: Id.nullish(),
  config: Config.nullish(),
  quietHours: QuietHours.nullish(),
})

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
