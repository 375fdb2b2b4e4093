import { z } from 'zod'
import { Id, Instant, pageOf } from './conventions.ts'
import { ResourceType } from './scopes.ts'

export const Webhook = z
  .object({ id: Id, name: z.string(), label: z.string().nullable(), method: z.string(), createdAt: Instant })
  .meta({ id: 'Webhook', description: 'Its URL, headers, body and configuration are never shown.' })
export const WebhookPage = pageOf(Webhook, 'WebhookPage')

export const WebhookBinding = z
  .object({ id: Id, webhookId: Id, webhookName: z.string(), enabled: z.boolean(), createdAt: Instant })
  .meta({
    id: 'WebhookBinding',
    description: 'Sends the events of a resource and all beneath to a webhook while enabled.',
  })
export type WebhookBinding = z.output<typeof WebhookBinding>
export const WebhookBindingPage = pageOf(WebhookBinding, 'WebhookBindingPage')

export const BoundResource = z.object({ resourceType: ResourceType, resourceId: Id })
