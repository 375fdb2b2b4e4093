import { z } from 'zod'

// The services that webhooks have a preset for, and what each needs. Forms and operations read the same table.

export const WEBHOOK_PRESETS = ['json', 'slack', 'teams', 'discord', 'pagerduty', 'opsgenie', 'telegram'] as const
export type WebhookPreset = (typeof WEBHOOK_PRESETS)[number]

export const WEBHOOK_REGIONS = ['us', 'eu'] as const

/** The fields that presets need, besides name and label. */
export const PRESET_FIELDS = ['url', 'routingKey', 'apiKey', 'botToken', 'chatId', 'region'] as const
export type PresetField = (typeof PRESET_FIELDS)[number]

export type PresetNeeds = {
  /** The name of the service. */
  label: string
  required: readonly PresetField[]
  optional: readonly PresetField[]
  /** Fields that are never shown again. */
  secret: readonly PresetField[]
}

export const PRESETS: Record<WebhookPreset, PresetNeeds> = {
  json: { label: 'Generic (JSON)', required: ['url'], optional: [], secret: [] },
  slack: { label: 'Slack', required: ['url'], optional: [], secret: ['url'] },
  teams: { label: 'Microsoft Teams', required: ['url'], optional: [], secret: ['url'] },
  discord: { label: 'Discord', required: ['url'], optional: [], secret: ['url'] },
  pagerduty: { label: 'PagerDuty', required: ['routingKey'], optional: ['region', 'url'], secret: ['routingKey'] },
  opsgenie: { label: 'Opsgenie', required: ['apiKey'], optional: ['region', 'url'], secret: ['apiKey'] },
  telegram: { label: 'Telegram', required: ['botToken', 'chatId'], optional: ['url'], secret: ['botToken'] },
}

/** Presets of services that keep an alert per incident open until a recovery closes it. */
const ALERT_PRESETS: readonly string[] = ['pagerduty', 'opsgenie'] satisfies WebhookPreset[]

export function keepsAlerts(preset: string): boolean {
  return ALERT_PRESETS.includes(preset)
}

/**
 * Returns the stored keys that must be given again when the URL changes: otherwise the keys would go to a host that the
 * person who changed the URL may control. The service's own address (an empty URL) may get them.
 */
export function keysForNewAddress(preset: WebhookPreset, storedUrl: string, url: string): PresetField[] {
  if (url === '' || URL.parse(url)?.origin === URL.parse(storedUrl)?.origin) return []
  return PRESETS[preset].secret.filter((field) => field !== 'url')
}

/** The access of presets. An omitted or null key is not given: an update then keeps the one it has. */
export const PresetAccess = z.object({
  /** PagerDuty: the integration key of an Events API v2 integration. */
  routingKey: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9]{32}$/, 'must be an integration key of 32 letters and digits')
    .nullish(),
  /** Opsgenie: the key of an API integration. */
  apiKey: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9-]{16,128}$/, 'must be an API key of letters, digits and hyphens')
    .nullish(),
  /** Telegram: the token that BotFather shows. */
  botToken: z
    .string()
    .trim()
    .max(128)
    .regex(/^\d+:[A-Za-z0-9_-]{20,}$/, 'must be a bot token such as 123456789:AA…')
    .nullish(),
  /** Telegram: the number of a chat, or the name of a public channel. */
  chatId: z
    .string()
    .trim()
    .regex(/^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/, 'must be the number of a chat, or a channel such as @alerts')
    .nullish(),
  /** PagerDuty, Opsgenie: the region of the account. */
  region: z.enum(WEBHOOK_REGIONS).nullish(),
})
