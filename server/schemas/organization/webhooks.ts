import { z } from 'zod'
import { Id, Instant, Label, Name, openEnum, PageQuery, pageOf } from '../conventions.ts'
import { BindingScopeRef, PlacedBinding } from '../webhooks.ts'
import { PresetAccess, WEBHOOK_PRESETS, WEBHOOK_REGIONS, WEBHOOK_URGENCIES } from './webhook-presets.ts'

export const WEBHOOK_METHODS = ['POST', 'PUT', 'PATCH'] as const

const HEADERS_MAX = 20

/** Headers that the HTTP connection or the signature sets. */
const OWN_HEADER =
  /^(host|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*|webhook-.*)$/i

const HeaderName = z
  .string()
  .max(128)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be a valid header name')
  .refine((name) => !OWN_HEADER.test(name), 'must not be a header that Soundline sets itself')

const HeaderValue = z
  .string()
  .max(2_048)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must not contain characters that are invalid in headers')

export const WebhookHeaders = z
  .record(HeaderName, HeaderValue)
  .refine((headers) => Object.keys(headers).length <= HEADERS_MAX, `must have at most ${HEADERS_MAX} headers`)

const Url = z.string().trim().min(1).max(2_048)
/** The most bindings that a webhook is created with. */
const BINDINGS_MAX = 50

const Template = z.string().max(16_384)

export const WebhookCreate = z.object({
  name: Name,
  label: Label.nullish(),
  preset: z.enum(WEBHOOK_PRESETS).default('json'),
  /** Presets of services with a fixed address need none. */
  url: Url.nullish(),
  ...PresetAccess.shape,
  method: z.enum(WEBHOOK_METHODS).default('POST'),
  headers: WebhookHeaders.default({}),
  /** A template such as `{"text": "{{summary}}"}`. Without a template, the message itself is sent. */
  body: Template.nullish(),
  /** What it is bound to from the start. */
  bindings: z.array(BindingScopeRef).max(BINDINGS_MAX).default([]),
})

/**
 * Omitted fields keep their values; null clears a field. The preset of a webhook does not change. A URL on another host
 * needs the preset's key or token again.
 */
export const WebhookUpdate = z.object({
  id: Id,
  name: Name.optional(),
  label: Label.nullable().optional(),
  url: Url.nullish(),
  ...PresetAccess.shape,
  method: z.enum(WEBHOOK_METHODS).optional(),
  headers: WebhookHeaders.optional(),
  body: Template.nullable().optional(),
})

/** A webhook with its configuration, for members with write access to webhooks. It never contains keys and tokens. */
export const ConfiguredWebhook = z.object({
  id: Id,
  name: z.string(),
  label: z.string().nullable(),
  preset: openEnum(WEBHOOK_PRESETS),
  method: z.string(),
  createdAt: Instant,
  /** Of a secret URL, only the host. Null where a preset uses its service's own address. */
  url: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  chatId: z.string().nullable(),
  region: openEnum(WEBHOOK_REGIONS).nullable(),
  accountSid: z.string().nullable(),
  urgency: openEnum(WEBHOOK_URGENCIES).nullable(),
  roomId: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Until then, messages are signed with the previous secret too; null when only the current one is valid. */
  previousSecretUntil: Instant.nullable(),
})
export type ConfiguredWebhook = z.output<typeof ConfiguredWebhook>

/** The signing secret is shown only once, on creation. Null for a preset: its service does not verify signatures. */
export const CreatedWebhook = ConfiguredWebhook.extend({ signingSecret: z.string().nullable() })

/** A list names so many places of a webhook; a click leads to the others. */
export const BOUND_PLACES_SHOWN = 3

/** A webhook in the list of the dashboard: with its receiver and the first places that it is bound to. */
export const WebhookOverview = z.object({
  id: Id,
  name: z.string(),
  label: z.string().nullable(),
  /** What receives its messages, in words: `Slack`. One that is configured by hand has its method too. */
  receiver: z.string(),
  createdAt: Instant,
  bindingCount: z.int(),
  bindings: z.array(PlacedBinding).max(BOUND_PLACES_SHOWN),
})
export type WebhookOverview = z.output<typeof WebhookOverview>
export const WebhookOverviewPage = pageOf(WebhookOverview, 'WebhookOverviewPage')

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

export const WebhookDelivery = z.object({
  /** Sent to the receiver as `webhook-id`. */
  id: Id,
  kind: z.string(),
  state: openEnum(DELIVERY_STATES),
  /** Attempts since the message was queued, or sent again. */
  attempts: z.int(),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  lastLatencyMs: z.int().nullable(),
  nextAttemptAt: Instant.nullable(),
  deliveredAt: Instant.nullable(),
  createdAt: Instant,
  /** What the message is about, if the reader can read the service and it still exists. */
  service: z.object({ id: Id, name: z.string() }).nullable(),
  /** The incident of the message, with its cause. */
  incident: z.object({ id: Id, summary: z.string() }).nullable(),
})
export type WebhookDelivery = z.output<typeof WebhookDelivery>
export const WebhookDeliveryPage = pageOf(WebhookDelivery, 'WebhookDeliveryPage')
export const WebhookDeliveryQuery = PageQuery.extend({ id: Id })

/** The most attempts of a delivery that are listed. */
export const ATTEMPTS_SHOWN = 100

export const WebhookAttempt = z.object({
  id: Id,
  startedAt: Instant,
  status: z.int().nullable(),
  error: z.string().nullable(),
  latencyMs: z.int(),
  /** The first 4 KiB of what the receiver responded, without the webhook's secrets; null without a response. */
  responseBody: z.string().nullable(),
})
export type WebhookAttempt = z.output<typeof WebhookAttempt>

/** A delivery with its bodies, for members with write access to webhooks. */
export const WebhookDeliveryDetail = WebhookDelivery.extend({
  /** The beginning of the body of the last attempt, without the webhook's secrets; null before the first. */
  sentBody: z.string().nullable(),
  /** Every attempt that ended, newest first, also those before it was sent again. At most ATTEMPTS_SHOWN. */
  log: z.array(WebhookAttempt),
})
export type WebhookDeliveryDetail = z.output<typeof WebhookDeliveryDetail>
