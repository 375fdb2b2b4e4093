import { z } from 'zod'
import { Id, Instant, OrgUserId, ServiceId, WebhookId } from '../conventions.ts'
import { HeardThrough } from './messages.ts'
import { Silence } from './silences.ts'
import { SYSTEM_VARIABLES } from './system-variables.ts'

const { confirmFailures, confirmRecoveries, recheckSeconds, remindMinutes } = SYSTEM_VARIABLES

/** The system variables of a service by name, as numbers and booleans. */
export const AlertSettings = z
  .object({
    confirmFailures: integer(confirmFailures).meta({
      description: 'Failed runs in a row after which the failure is confirmed and an incident opens.',
      example: 2,
    }),
    confirmRecoveries: integer(confirmRecoveries).meta({
      description: 'Passing runs in a row after which a failed service has recovered.',
      example: 1,
    }),
    recheckSeconds: integer(recheckSeconds).meta({
      description:
        'Seconds after which a failed scheduled run is repeated once, on another agent if there is one; 0 for never. With `simultaneous`, nothing is repeated.',
      example: 10,
    }),
    recheckWrites: z.boolean().meta({
      description: 'Whether a script that sends POST, PUT, PATCH or DELETE is repeated too.',
      example: false,
    }),
    alertOnRecovery: z.boolean().meta({ description: 'Whether a recovery is announced.', example: true }),
    remindMinutes: integer(remindMinutes).meta({
      description: 'Minutes between reminders of an open incident that has not been acknowledged; 0 for none.',
      example: 60,
    }),
  })
  .meta({ id: 'AlertSettings', description: 'How the runs of a service become alerts: its system variables.' })
export type AlertSettings = z.output<typeof AlertSettings>

export const AlertSettingsChange = z.object({ id: Id, ...AlertSettings.shape })

export const AlertRecipient = z
  .object({
    orgUserId: OrgUserId.nullable().meta({
      description:
        'The member. This, the name, the address and the names of groups are null for other members without read on Users.',
    }),
    name: z.string().nullable().meta({ description: 'The name of the member.', example: 'Ada Lovelace' }),
    email: z.string().nullable().meta({ description: 'The address.', example: 'ada@example.com' }),
    heardThrough: z.array(HeardThrough).min(1).meta({ description: 'Every reason why the member is notified.' }),
    isSilenced: z.boolean().meta({ description: 'Whether a silence suppresses the mail now.', example: false }),
    silencedReason: z
      .string()
      .nullable()
      .meta({ description: '`a silence` or `quiet hours`; null when it is sent.', example: null }),
    silencedUntil: Instant.nullable().meta({
      description: 'When mails are sent again; null when they are sent now, or when the silence has no end.',
      example: null,
    }),
    silence: Silence.nullable().meta({
      description: "The silence that suppresses the mail, if it is the caller's own; null for other members.",
      example: null,
    }),
  })
  .meta({ id: 'AlertRecipient', description: 'A member who would be notified by mail.' })
export type AlertRecipient = z.output<typeof AlertRecipient>

export const AlertedWebhook = z
  .object({
    webhookId: WebhookId,
    name: z.string().meta({ description: 'The name of the webhook.', example: 'Pager' }),
    enabled: z
      .boolean()
      .meta({ description: 'False when every binding is paused, so that it gets no message.', example: true }),
    heardThrough: z.array(HeardThrough).min(1).meta({ description: 'Every resource that it is bound to.' }),
  })
  .meta({ id: 'AlertedWebhook', description: 'A webhook that is bound to the service or above it.' })
export type AlertedWebhook = z.output<typeof AlertedWebhook>

/** The most recipients, and the most webhooks, that the preview lists. */
export const RECIPIENTS_MAX = 100

export const ServiceAlerting = z
  .object({
    serviceId: ServiceId,
    settings: AlertSettings,
    hasListener: z.boolean().meta({
      description:
        'Whether the service has a listener: a member or an enabled webhook. If not, the owner is notified instead.',
      example: true,
    }),
    isMailConfigured: z
      .boolean()
      .meta({ description: 'False when the installation has no mail server: no mail is sent.', example: true }),
    recipients: z
      .array(AlertRecipient)
      .max(RECIPIENTS_MAX)
      .meta({ description: `At most ${RECIPIENTS_MAX}: the caller first, then by name.` }),
    recipientsTotal: z.int().meta({ description: 'How many members would be notified.', example: 1 }),
    webhooks: z
      .array(AlertedWebhook)
      .max(RECIPIENTS_MAX)
      .nullable()
      .meta({ description: `At most ${RECIPIENTS_MAX}, by name; null without read on Webhooks.` }),
    webhooksTotal: z.int().meta({ description: 'How many are bound, enabled or not.', example: 1 }),
  })
  .meta({ id: 'ServiceAlerting', description: 'Who would be notified if the service failed now, and why.' })
export type ServiceAlerting = z.output<typeof ServiceAlerting>

function integer({ min, max }: { min: number; max: number }) {
  const problem = `must be an integer from ${min} to ${max}`
  return z.int(problem).min(min, problem).max(max, problem)
}
