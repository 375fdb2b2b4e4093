import { z } from 'zod'
import { Instant, OrgUserId, openEnum, WebhookId } from '../conventions.ts'
import { BINDING_SCOPES } from '../scopes.ts'

/** Why a recipient is notified: the kinds of `HeardThrough` in the database. */
export const HEARD_KINDS = ['grant', 'group', 'follow', 'binding', 'section', 'owner'] as const

export const HeardThrough = z
  .object({
    kind: openEnum(HEARD_KINDS).meta({
      description:
        'Why the recipient is notified: `grant` (a grant of the member), `group` (a grant of a group), `follow`, `binding` (of a ' +
        'webhook), `section` (write on Settings, for events of agents), or `owner` (of the organization, for a service ' +
        'without listeners).',
      example: 'group',
    }),
    group: z.string().nullable().meta({
      description: "The group's name; null for the other kinds, and without read on Users.",
      example: 'DevOps',
    }),
    resourceType: openEnum(BINDING_SCOPES).nullable().meta({
      description:
        'The type of the resource that is granted, followed or bound, or `organization`; null for `section` and `owner`.',
      example: 'workspace',
    }),
    resourceName: z.string().nullable().meta({ description: 'The name of that resource.', example: 'Shop' }),
  })
  .meta({ id: 'HeardThrough', description: 'One reason why a member or a webhook is notified of an event.' })
export type HeardThrough = z.output<typeof HeardThrough>

export const MESSAGE_CHANNELS = ['email', 'webhook'] as const
export const MESSAGE_STATES = ['pending', 'sent', 'failed', 'suppressed', 'held'] as const

export const AlertMessage = z
  .object({
    channel: openEnum(MESSAGE_CHANNELS).meta({ description: 'How it is sent.', example: 'email' }),
    orgUserId: OrgUserId.nullable().meta({
      description:
        'The member who is notified by mail; null for a webhook, and for other members without read on Users.',
    }),
    webhookId: WebhookId.nullable().meta({
      description: 'Null for a mail, and without read on Webhooks.',
      example: null,
    }),
    name: z.string().nullable().meta({
      description:
        'The name of the member or the webhook. Null for a former member, without read on Users, and for a webhook without read on Webhooks.',
      example: 'Ada Lovelace',
    }),
    email: z
      .string()
      .nullable()
      .meta({ description: "The member's address: the caller's own, or with read on Users.", example: null }),
    heardThrough: z.array(HeardThrough).meta({ description: 'Empty for a webhook message that was queued.' }),
    state: openEnum(MESSAGE_STATES).meta({
      description:
        '`pending` (queued, or retried), `sent`, `failed`, `suppressed` (not sent, see `reason`), or `held` (kept back ' +
        'until quiet hours or a maintenance end).',
      example: 'suppressed',
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          'Why it is suppressed, held or failed, or why the last attempt failed. Null without read on Webhooks, except for a ' +
          'paused binding.',
        example: 'a silence',
      }),
    silencedUntil: Instant.nullable().meta({
      description: 'When the silence ends; null without a silence, or for one without an end.',
      example: '2026-01-31T09:30:00.000Z',
    }),
    attempts: z
      .int()
      .nullable()
      .meta({ description: 'Attempts of a webhook message; null for a mail.', example: null }),
    lastStatus: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status of the last attempt of a webhook message.', example: null }),
    nextAttemptAt: Instant.nullable().meta({
      description: 'When a webhook message that failed is sent again; null if it is not.',
      example: null,
    }),
    sentAt: Instant.nullable().meta({ description: 'Null until it is sent.', example: null }),
    createdAt: Instant.meta({ description: 'When it was queued, or held back.', example: '2026-01-31T08:12:05.120Z' }),
  })
  .meta({
    id: 'AlertMessage',
    description: 'The delivery of an event to one member or one webhook, with the reason if it was not sent.',
  })
export type AlertMessage = z.output<typeof AlertMessage>

/** The most messages of one event that a response lists. */
export const MESSAGES_MAX = 100

/** The fields that list the messages of one event. */
export const EventMessages = {
  messages: z
    .array(AlertMessage)
    .max(MESSAGES_MAX)
    .meta({
      description: `Its mails and webhook messages, at most ${MESSAGES_MAX}: the caller's own first, then those that were not sent.`,
    }),
  messagesTotal: z.int().meta({ description: 'How many there are.', example: 1 }),
}
