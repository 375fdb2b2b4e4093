import { z } from 'zod'
import { Id, Instant, Label, Name, openEnum, PageQuery, pageOf } from '../conventions.ts'

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
const Template = z.string().max(16_384)

export const WebhookCreate = z.object({
  name: Name,
  label: Label.nullish(),
  url: Url,
  method: z.enum(WEBHOOK_METHODS).default('POST'),
  headers: WebhookHeaders.default({}),
  /** A template such as `{"text": "{{summary}}"}`. Without a template, the message itself is sent. */
  body: Template.nullish(),
})

/** Omitted fields keep their values; null clears a field. */
export const WebhookUpdate = z.object({
  id: Id,
  name: Name.optional(),
  label: Label.nullable().optional(),
  url: Url.optional(),
  method: z.enum(WEBHOOK_METHODS).optional(),
  headers: WebhookHeaders.optional(),
  body: Template.nullable().optional(),
})

/** A webhook with its configuration, for members with write access to webhooks. */
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

/** The signing secret is shown only once, on creation. */
export const CreatedWebhook = ConfiguredWebhook.extend({ signingSecret: z.string() })

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

export const WebhookDelivery = z.object({
  /** Sent to the receiver as `webhook-id`. */
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
