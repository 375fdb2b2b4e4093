import { randomBytes } from 'node:crypto'
import type { Vault } from '../vault.ts'

/** The encrypted part of a webhook. */
export type WebhookConfig = {
  url: string
  headers: Record<string, string>
  /** A template; null sends the message itself. */
  body: string | null
  signingSecret: string
}

type Row = { id: string; organizationId: string }

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
