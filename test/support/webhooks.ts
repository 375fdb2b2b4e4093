import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { webhookBindings, webhooks } from '#db/schema/webhooks.ts'
import { newSigningSecret, sealWebhook } from '#server/alerts/webhooks/config.ts'
import type { Vault } from '#server/vault.ts'
import { unique } from './factories.ts'

/** Creates a webhook that receives the events of one service, and returns its id. */
export async function bindWebhook(
  db: Db,
  vault: Vault,
  { id: serviceId, organizationId }: { id: string; organizationId: string },
  url: string,
): Promise<string> {
  const row = { id: uuidv7(), organizationId }
  const sealed = sealWebhook(vault, row, { url, headers: {}, body: null, signingSecret: newSigningSecret() })
  await db.insert(webhooks).values({ ...row, name: unique('Hook'), sealed })
  await db.insert(webhookBindings).values({ id: uuidv7(), organizationId, webhookId: row.id, serviceId })
  return row.id
}
