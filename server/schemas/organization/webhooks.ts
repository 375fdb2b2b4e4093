import { z } from 'zod'
import { Id, Instant, Label, Name, openEnum, PageQuery, pageOf } from '../conventions.ts'

export const WEBHOOK_METHODS = ['POST', 'PUT', 'PATCH'] as const

const HEADERS_MAX = 20

/** Set by the connection or by the signature, whatever a webhook says. */
const OWN_HEADER =
  /^(host|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*|webhook-.*)$/i

const HeaderName = z
  .string()
  .max(128)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'is not a header name')
  .refine((name) => !OWN_HEADER.test(name), 'is set by the service itself')

const HeaderValue = z
  .string()
  .max(2_048)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'has a character that headers cannot carry')

export const WebhookHeaders = z
  .record(HeaderName, HeaderValue)
  .refine((headers) => Object.keys(headers).length <= HEADERS_MAX, `must be at most ${HEADERS_MAX}`)

const Url = z.string().trim().min(1).max(2_048)
const Template = z.string().max(16_384)

export const WebhookCreate = z.object({
  name: Name,
  label: Label.nullish(),
  url: Url,
  method: z.enum(WEBHOOK_METHODS).default('POST'),
  headers: WebhookHeaders.default({}),
  /** A template such as `{"text": "{{summary}}"}`; without one the message itself is sent. */
  body: Template.nullish(),
})

/** What is left out stays as it is; null clears. */
export const WebhookUpdate = z.object({
  id: Id,
  name: Name.optional(),
  label: Label.nullable().optional(),
  url: Url.optional(),
  method: z.enum(WEBHOOK_METHODS).optional(),
  headers: WebhookHeaders.optional(),
  body: Template.nullable().optional(),
})

/** With where it goes: for those who may write webhooks. */
export const ConfiguredWebhook = z.object({
  id: Id,
  name: z.string(),
  label: z.string().nullable(),
  method: z.string(),
  createdAt: Instant,
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
})
export type ConfiguredWebhook = z.output<typeof ConfiguredWebhook>
export const ConfiguredWebhookPage = pageOf(ConfiguredWebhook, 'ConfiguredWebhookPage')

/** The secret is told when it is made, and never again. */
export const CreatedWebhook = ConfiguredWebhook.extend({ signingSecret: z.string() })

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

export const WebhookDelivery = z.object({
  /** The `webhook-id` that the receiver sees. */
  id: Id,
  kind: z.string(),
  state: openEnum(DELIVERY_STATES),
  attempts: z.int(),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  lastLatencyMs: z.int().nullable(),
  nextAttemptAt: Instant.nullable(),
  deliveredAt: Instant.nullable(),
  createdAt: Instant,
})
export type WebhookDelivery = z.output<typeof WebhookDelivery>
export const WebhookDeliveryPage = pageOf(WebhookDelivery, 'WebhookDeliveryPage')
export const WebhookDeliveryQuery = PageQuery.extend({ id: Id })
