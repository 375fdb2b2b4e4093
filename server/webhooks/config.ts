import { randomBytes } from 'node:crypto'
import type { Vault } from '../vault.ts'

/** What of a webhook is sealed: everything that says where it goes, and what it says there. */
export type WebhookConfig = {
  url: string
  headers: Record<string, string>
  /** A template; null sends the message as it is. */
  body: string | null
  signingSecret: string
}

type Row = { id: string; organizationId: string }

export function sealWebhook(vault: Vault, row: Row, config: WebhookConfig): Buffer {
  return vault.seal(JSON.stringify(config), 'webhook', row.organizationId, row.id)
}

/** @throws when it was sealed with a key that is gone */
export function openWebhook(vault: Vault, row: Row & { sealed: Buffer }): WebhookConfig {
  return JSON.parse(vault.open(row.sealed, 'webhook', row.organizationId, row.id))
}

/** As Standard Webhooks writes one: the prefix, and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}
