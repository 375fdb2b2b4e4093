import { z } from 'zod'
import {
  ACCESS_FIELDS,
  type AccessField,
  keysForNewAddress,
  PRESETS,
  type PresetField,
  WEBHOOK_REGIONS,
  WEBHOOK_URGENCIES,
  type WebhookPreset,
} from '#server/schemas/organization/webhook-presets.ts'
import { WebhookCreate, WebhookHeaders } from '#server/schemas/organization/webhooks.ts'
import type { PickedPlace } from '../../components/pickers/place.ts'

/**
 * The values of the webhook form. Headers are lines of `Name: value`. An empty text means none; an empty key or secret
 * URL of an existing webhook means that it stays the same.
 */
export type WebhookValues = Record<Exclude<PresetField, 'region' | 'urgency'>, string> & {
  preset: WebhookPreset
  name: string
  label: string
  region: (typeof WEBHOOK_REGIONS)[number]
  urgency: (typeof WEBHOOK_URGENCIES)[number]
  method: 'POST' | 'PUT' | 'PATCH'
  headers: string
  body: string
  /** What a new webhook is bound to. The page of a webhook changes its bindings. */
  bindings: PickedPlace[]
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
  topic: '',
  accountSid: '',
  token: '',
  userKey: '',
  urgency: 'high',
  roomId: '',
  from: '',
  to: '',
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
  const lost: PresetField[] = keysForNewAddress(values.preset, stored.url ?? '', values.url.trim())
  return !lost.includes(field)
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
    topic: emptyOr(shape.topic),
    accountSid: emptyOr(shape.accountSid),
    token: emptyOr(shape.token),
    userKey: emptyOr(shape.userKey),
    urgency: z.enum(WEBHOOK_URGENCIES),
    roomId: emptyOr(shape.roomId),
    from: emptyOr(shape.from),
    to: emptyOr(shape.to),
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

/** Undefined keeps what is stored; null is none. */
type GivenAccess = { [Field in AccessField]: WebhookValues[Field] | null | undefined }

/** Returns the input of the operation: only fields that the preset uses. The form must have validated the values. */
export function webhookInput(values: WebhookValues, isNew: boolean) {
  const { name, label, preset, method, headers, body } = values
  const { required, optional, secret } = PRESETS[preset]
  const given = (field: PresetField) => {
    if (!required.includes(field) && !optional.includes(field)) return undefined
    const text = values[field].trim()
    return text === '' && secret.includes(field) && !isNew ? undefined : text || null
  }
  const access = Object.fromEntries(ACCESS_FIELDS.map((field) => [field, given(field)])) as GivenAccess
  const common = { name, label: label.trim() || null, url: given('url'), ...access }
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
