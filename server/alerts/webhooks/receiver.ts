import { hash } from 'node:crypto'
import type { webhooks } from '#db/schema/webhooks.ts'
import type { Vault } from '../../vault.ts'
import { openWebhook } from './config.ts'
import { sampleMessage } from './messages.ts'
import { requestOf } from './presets/presets.ts'

type Webhook = Pick<typeof webhooks.$inferSelect, 'id' | 'organizationId' | 'preset' | 'method' | 'sealed'>

const SAMPLE = sampleMessage({ id: '', name: '' })

/**
 * Returns the key of a webhook's receiver: the same for all webhooks of the organization to one host and port. The URL is a
 * secret, so the key is a hash. A webhook without a readable URL has a receiver of its own.
 */
export function receiverOf(vault: Vault, webhook: Webhook): string {
  const { id, organizationId } = webhook
  try {
    const config = openWebhook(vault, webhook)
    const { url } = requestOf({ ...webhook, config }, SAMPLE, { id, at: new Date(0), secrets: [] })
    return hash('sha256', `${organizationId} ${new URL(url).host}`, 'base64url')
  } catch {
    return id
  }
}
