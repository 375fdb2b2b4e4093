import { z } from 'zod'
import {
  keysForNewAddress,
  PRESETS,
  type PresetField,
  WEBHOOK_REGIONS,
  type WebhookPreset,
} from '#server/schemas/organization/webhook-presets.ts'
import { WebhookCreate, WebhookHeaders } from '#server/schemas/organization/webhooks.ts'
import type { PickedScope } from '../../components/bindings/scope-picker.tsx'

/**
 * The values of the webhook form. Headers are lines of `Name: value`. An empty text means none; an empty key or secret
 * URL of an existing webhook means that it stays the same.
 */
export type WebhookValues = {
  preset: WebhookPreset
  name: string
  label: string
  url: string
  routingKey: string
  apiKey: string
  botToken: string
  chatId: string
  region: (typeof WEBHOOK_REGIONS)[number]
  method: 'POST' | 'PUT' | 'PATCH'
  headers: string
  body: string
  /** What a new webhook is bound to. The page of a webhook changes its bindings. */
  bindings: PickedScope[]
}

export const NEW_WEBHOOK: WebhookValues = {
  preset: 'json',
  name: '',
  label: '',
  url: '',
  routingKey: '',
  apiKey: '',
  botToken: '',
  chatId: '',
  region: 'us',
  method: 'POST',
  headers: '',
  body: '',
  bindings: [],
}

const { shape } = WebhookCreate

/** What the form knows of a webhook that exists: of a secret URL, only the origin. */
export type StoredWebhook = { url: string | null }

/** Returns whether a field that is left empty keeps its stored value. */
export function isKept(field: PresetField, values: WebhookValues, stored: StoredWebhook | undefined): boolean {
  if (!stored || !PRESETS[values.preset].secret.includes(field)) return false
  return !keysForNewAddress(values.preset, stored.url ?? '', values.url.trim()).includes(field)
}

/** The server's schema, with what the preset requires. Keys that are stored already are not required. */
export function webhookForm(stored?: StoredWebhook) {
  return WebhookCreate.extend({
    url: emptyOr(shape.url),
    routingKey: emptyOr(shape.routingKey),
    apiKey: emptyOr(shape.apiKey),
    botToken: emptyOr(shape.botToken),
    chatId: emptyOr(shape.chatId),
    region: z.enum(WEBHOOK_REGIONS),
    headers: z.string().superRefine((text, check) => {
      const headers = readHeaders(text)
      if (!headers) return check.addIssue({ code: 'custom', message: 'Write one header per line, as Name: value' })
      const { error } = WebhookHeaders.safeParse(headers)
      if (error) check.addIssue({ code: 'custom', message: error.issues[0]?.message ?? 'Invalid value' })
    }),
  }).superRefine((values, check) => {
    const texts = { ...NEW_WEBHOOK, preset: values.preset, url: values.url ?? '' }
    for (const field of PRESETS[values.preset].required) {
      if (!values[field] && !isKept(field, texts, stored))
        check.addIssue({ code: 'custom', path: [field], message: 'is required' })
    }
  })
}

/** Returns the input of the operation: only fields that the preset uses. The form must have validated the values. */
export function webhookInput(values: WebhookValues, isNew: boolean) {
  const { name, label, preset, method, headers, body } = values
  const { required, optional, secret } = PRESETS[preset]
  const given = (field: PresetField) => {
    if (!required.includes(field) && !optional.includes(field)) return undefined
    const text = values[field].trim()
    return text === '' && secret.includes(field) && !isNew ? undefined : text || null
  }
  const access = {
    url: given('url'),
    routingKey: given('routingKey'),
    apiKey: given('apiKey'),
    botToken: given('botToken'),
    chatId: given('chatId'),
    region: given('region') as WebhookValues['region'] | null | undefined,
  }
  const common = { name, label: label.trim() || null, ...access }
  return preset === 'json' ? { ...common, method, headers: readHeaders(headers) ?? {}, body: body || null } : common
}

export function headersText(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

function emptyOr<T extends z.ZodType>(schema: T) {
  return z.union([z.literal('').transform(() => null), schema])
}

/** Parses the header lines. Returns null if a line is not a header. */
function readHeaders(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line))
  if (pairs.some((pair) => pair === null)) return null
  return Object.fromEntries(pairs.map((pair) => [pair?.[1], pair?.[2]]))
}
