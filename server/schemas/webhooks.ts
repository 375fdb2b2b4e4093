import { z } from 'zod'
import { Id, Instant, pageOf } from './conventions.ts'
import { ResourceType } from './scopes.ts'

export const Webhook = z
  .object({ id: Id, name: z.string(), label: z.string().nullable(), method: z.string(), createdAt: Instant })
  .meta({
    id: 'Webhook',
    description: 'A webhook without its URL, headers, body and configuration, which are never shown.',
  })
export const WebhookPage = pageOf(Webhook, 'WebhookPage')

export const WebhookBinding = z
  .object({ id: Id, webhookId: Id, webhookName: z.string(), enabled: z.boolean(), createdAt: Instant })
  .meta({
    id: 'WebhookBinding',
    description: 'While enabled, sends the events of a resource and everything in it to a webhook.',
  })
export type WebhookBinding = z.output<typeof WebhookBinding>
export const WebhookBindingPage = pageOf(WebhookBinding, 'WebhookBindingPage')

export const BoundResource = z.object({ resourceType: ResourceType, resourceId: Id })
