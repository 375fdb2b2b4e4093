import { z } from 'zod'
import { Id, openEnum, pageOf } from './conventions.ts'

/** The kinds of event that a silence can name. */
export const EVENT_KINDS = ['service.failed', 'service.recovered'] as const

export const SILENCE_CHANNELS = ['email', 'all', 'quiet-hours'] as const

/** `webhook` is a known channel that silences do not take; the operation says so by `field_invalid`. */
const Channel = z
  .enum([...SILENCE_CHANNELS, 'webhook'], `must be one of ${SILENCE_CHANNELS.join(', ')}`)
  .meta({ override: { enum: [...SILENCE_CHANNELS] } })
/** Their lengths are checked by the operation, which answers `field_invalid` for them as for their contents. */
export const SILENCE_CONFIG_MAX = 4_096
export const QUIET_HOURS_MAX = 256

const Config = z.string().meta({
  maxLength: SILENCE_CONFIG_MAX,
  description:
    'A JSON object as text. Known keys: `events` (list of event kinds; all when absent), `until` (ISO-8601).',
})
const QuietHours = z.string().meta({
  maxLength: QUIET_HOURS_MAX,
  description:
    '`RRULE[/minutes[/timezone]]`; 60 minutes and the time zone of the organization unless said. ' +
    'The silence holds only while the window is open.',
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
  .meta({ id: 'Silence', description: "The calling user's own: what they are not told of." })
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

/** What the text of `config` may hold. */
export const SilenceConfig = z.strictObject({
  events: z.array(z.enum(EVENT_KINDS)).min(1).optional(),
  until: z.iso.datetime({ offset: true, error: 'must be an ISO-8601 instant' }).optional(),
})
export type SilenceConfig = z.output<typeof SilenceConfig>
