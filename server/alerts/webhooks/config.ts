import { randomBytes } from 'node:crypto'
import type { AccessField, WEBHOOK_REGIONS, WEBHOOK_URGENCIES } from '../../schemas/organization/webhook-presets.ts'
import type { Vault } from '../../vault.ts'

/** The encrypted part of a webhook. */
export type WebhookConfig = {
  /**
   * The receiver's URL. For presets whose service has a fixed address: the address of its API, or empty for the
   * service's own.
   */
  url: string
  headers: Record<string, string>
  /** A template; null sends the message itself. */
  body: string | null
  signingSecret: string
  /** The secret before the last rotation. Messages are signed with it too until then (ISO-8601). */
  previousSecret?: { secret: string; validUntil: string } | null
  access?: PresetAccess
}

/** The fields that a preset's service needs besides a URL. */
export type PresetAccess = Partial<Record<Exclude<AccessField, 'region' | 'urgency'>, string>> & {
  region?: (typeof WEBHOOK_REGIONS)[number]
  urgency?: (typeof WEBHOOK_URGENCIES)[number]
}

type Row = { id: string; organizationId: string }

/** How long messages are signed with the previous secret too. */
const PREVIOUS_SECRET_MS = 24 * 3_600_000

/** Shorter words of headers, and shorter topics, occur everywhere, and are not secrets. */
const WORD_MIN = 6
/** Headers whose values say nothing secret. */
const PLAIN_HEADERS = /^(accept.*|content-type|user-agent)$/i
/** Parts of a URL that look like a token: long, or with a digit or both cases. */
const TOKEN = /^(?=.{8})(?=.*(\d|[a-z][A-Z]|.{20}))/

export function sealWebhook(vault: Vault, row: Row, config: WebhookConfig): Buffer {
  return vault.seal(JSON.stringify(config), 'webhook', row.organizationId, row.id)
}

/** @throws Error when the configuration is encrypted with a key that is no longer configured */
export function openWebhook(vault: Vault, row: Row & { sealed: Buffer }): WebhookConfig {
  return JSON.parse(vault.open(row.sealed, 'webhook', row.organizationId, row.id))
}

/** Creates a signing secret by Standard Webhooks: the prefix and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Returns the configuration with a new secret. The current one stays valid for a day; an older one ends now. */
export function rotateSigningSecret(config: WebhookConfig, now: Date) {
  const validUntil = new Date(now.getTime() + PREVIOUS_SECRET_MS).toISOString()
  return {
    ...config,
    signingSecret: newSigningSecret(),
    previousSecret: { secret: config.signingSecret, validUntil },
  }
}

/** Returns the previous secret while it is valid, or null. */
export function previousSecretAt({ previousSecret }: WebhookConfig, at: Date) {
  return previousSecret && at.getTime() < Date.parse(previousSecret.validUntil) ? previousSecret : null
}

/** Returns the secrets with which a message is signed at this time, the newest first. */
export function signingSecretsAt(config: WebhookConfig, at: Date): string[] {
  const previous = previousSecretAt(config, at)
  return previous ? [config.signingSecret, previous.secret] : [config.signingSecret]
}

/** Returns the parts of the configuration that must not appear in the delivery log. */
export function secretsOf({ url, headers, signingSecret, previousSecret, access = {} }: WebhookConfig): string[] {
  const { pathname = '', search = '', searchParams } = URL.parse(url) ?? {}
  const ofUrl = [pathname + search, ...pathname.split('/'), ...(searchParams?.values() ?? [])]
  const ofHeaders = Object.entries(headers).flatMap(([name, value]) =>
    PLAIN_HEADERS.test(name) ? [] : value.split(/\s+/).filter((word) => word.length >= WORD_MIN),
  )
  const { routingKey, apiKey, botToken, token, userKey, topic = '' } = access
  const keys = [signingSecret, previousSecret?.secret, routingKey, apiKey, botToken, token, userKey]
  const all = [
    ...keys,
    ...(topic.length >= WORD_MIN ? [topic] : []),
    ...ofUrl.filter((part) => TOKEN.test(part)),
    ...ofHeaders,
  ]
  return [...new Set(all.filter((secret) => secret !== undefined))]
}
