import { z } from 'zod'

// The services that webhooks have a preset for, and what each needs. Forms and operations read the same table.

export const WEBHOOK_PRESETS = [
  'json',
  'slack',
  'teams',
  'discord',
  'pagerduty',
  'opsgenie',
  'telegram',
  'googlechat',
  'mattermost',
  'ntfy',
  'pushover',
  'matrix',
  'twilio',
  'incidentio',
  'oncall',
] as const
export type WebhookPreset = (typeof WEBHOOK_PRESETS)[number]

export const WEBHOOK_REGIONS = ['us', 'eu'] as const
export const WEBHOOK_URGENCIES = ['high', 'emergency'] as const

/** The fields that presets need, besides name and label. */
export const PRESET_FIELDS = [
  'url',
  'routingKey',
  'apiKey',
  'botToken',
  'chatId',
  'region',
  'topic',
  'accountSid',
  'token',
  'userKey',
  'urgency',
  'roomId',
  'from',
  'to',
] as const
export type PresetField = (typeof PRESET_FIELDS)[number]

/** The fields besides the URL. */
export type AccessField = Exclude<PresetField, 'url'>
export const ACCESS_FIELDS = PRESET_FIELDS.filter((field): field is AccessField => field !== 'url')

export type PresetNeeds = {
  /** The name of the service. */
  label: string
  required: readonly PresetField[]
  optional: readonly PresetField[]
  /** Fields that are never shown again. */
  secret: readonly PresetField[]
  /** The method of its requests, if it is not POST. */
  method?: 'PUT'
}

export const PRESETS: Record<WebhookPreset, PresetNeeds> = {
  json: { label: 'Generic (JSON)', required: ['url'], optional: [], secret: [] },
  slack: { label: 'Slack', required: ['url'], optional: [], secret: ['url'] },
  teams: { label: 'Microsoft Teams', required: ['url'], optional: [], secret: ['url'] },
  discord: { label: 'Discord', required: ['url'], optional: [], secret: ['url'] },
  pagerduty: { label: 'PagerDuty', required: ['routingKey'], optional: ['region', 'url'], secret: ['routingKey'] },
  opsgenie: { label: 'Opsgenie', required: ['apiKey'], optional: ['region', 'url'], secret: ['apiKey'] },
  telegram: { label: 'Telegram', required: ['botToken', 'chatId'], optional: ['url'], secret: ['botToken'] },
  googlechat: { label: 'Google Chat', required: ['url'], optional: [], secret: ['url'] },
  mattermost: { label: 'Mattermost', required: ['url'], optional: [], secret: ['url'] },
  // Who knows the topic of a public server can read it.
  ntfy: { label: 'ntfy', required: ['topic'], optional: ['token', 'url'], secret: ['topic', 'token'] },
  pushover: {
    label: 'Pushover',
    required: ['token', 'userKey'],
    optional: ['urgency', 'url'],
    secret: ['token', 'userKey'],
  },
  matrix: { label: 'Matrix', required: ['url', 'token', 'roomId'], optional: [], secret: ['token'], method: 'PUT' },
  twilio: {
    label: 'Twilio (SMS)',
    required: ['accountSid', 'token', 'from', 'to'],
    optional: ['url'],
    secret: ['token'],
  },
  incidentio: { label: 'incident.io', required: ['url', 'token'], optional: [], secret: ['token'] },
  oncall: { label: 'Grafana OnCall', required: ['url'], optional: [], secret: ['url'] },
}

/** Presets of services that keep an alert per incident open until a recovery closes it. */
const ALERT_PRESETS: readonly string[] = ['pagerduty', 'opsgenie', 'incidentio', 'oncall'] satisfies WebhookPreset[]

export function keepsAlerts(preset: string): boolean {
  return ALERT_PRESETS.includes(preset)
}

/**
 * Returns the stored keys that must be given again when the URL changes: otherwise the keys would go to a host that the
 * person who changed the URL may control. The service's own address (an empty URL) may get them.
 */
export function keysForNewAddress(preset: WebhookPreset, storedUrl: string, url: string): AccessField[] {
  if (url === '' || URL.parse(url)?.origin === URL.parse(storedUrl)?.origin) return []
  const { secret } = PRESETS[preset]
  return ACCESS_FIELDS.filter((field) => secret.includes(field))
}

/** A field of PRESETS that a webhook can have without. */
export function isOptional(preset: WebhookPreset, field: PresetField): boolean {
  return PRESETS[preset].optional.includes(field)
}

const KEY = z.string().trim()
const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/

/** The access of presets. An omitted or null key is not given: an update then keeps the one it has. */
export const PresetAccess = z.object({
  /** PagerDuty: the integration key of an Events API v2 integration. */
  routingKey: KEY.regex(/^[A-Za-z0-9]{32}$/, 'must be an integration key of 32 letters and digits').nullish(),
  /** Opsgenie: the key of an API integration. */
  apiKey: KEY.regex(/^[A-Za-z0-9-]{16,128}$/, 'must be an API key of letters, digits and hyphens').nullish(),
  /** Telegram: the token that BotFather shows. */
  botToken: KEY.max(128)
    .regex(/^\d+:[A-Za-z0-9_-]{20,}$/, 'must be a bot token such as 123456789:AA…')
    .nullish(),
  /** Telegram: the number of a chat, or the name of a public channel. */
  chatId: KEY.regex(
    /^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/,
    'must be the number of a chat, or a channel such as @alerts',
  ).nullish(),
  /** PagerDuty, Opsgenie: the region of the account. */
  region: z.enum(WEBHOOK_REGIONS).nullish(),
  /** ntfy: the topic. */
  topic: KEY.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be a topic of letters, digits, hyphens and underscores').nullish(),
  /** Twilio: the SID of the account. */
  accountSid: KEY.regex(/^AC[0-9a-fA-F]{32}$/, 'must be an account SID such as AC0123…').nullish(),
  /** ntfy, Matrix: an access token. Pushover: the application's. Twilio: the auth token. incident.io: the source's. */
  token: KEY.regex(/^[\x21-\x7e]{8,1024}$/, 'must be a token of at least 8 characters without spaces').nullish(),
  /** Pushover: the key of a user or a delivery group. */
  userKey: KEY.regex(/^[A-Za-z0-9]{30}$/, 'must be a key of 30 letters and digits').nullish(),
  /** Pushover: whether a failure rings until a person acknowledges it. */
  urgency: z.enum(WEBHOOK_URGENCIES).nullish(),
  /** Matrix: the id of a room; an alias such as #ops:example.org is no id. */
  roomId: KEY.max(255)
    .regex(/^![^\s:]+(:\S+)?$/, 'must be the id of a room such as !abc:example.org')
    .nullish(),
  /** Twilio: a number, a sender of letters, or the SID of a messaging service. */
  from: KEY.regex(
    /^(\+[1-9]\d{6,14}|MG[0-9a-fA-F]{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/,
    'must be a number such as +15005550006, a sender of at most 11 letters and digits, or the SID of a messaging service',
  ).nullish(),
  /** Twilio: the number that gets the messages. */
  to: KEY.regex(PHONE_NUMBER, 'must be a number with its country such as +15005550006').nullish(),
})
