import { z } from 'zod'
import { BindingId, CreatedAt, pageOf, WebhookId } from './conventions.ts'
import { ResourceRef } from './scopes.ts'

export const Webhook = z
  .object({
    id: WebhookId,
    name: z.string().meta({ description: 'The name, unique in the organization.', example: 'Pager' }),
    label: z
      .string()
      .nullable()
      .meta({ description: 'A short text shown next to the name; null without one.', example: 'on call' }),
    method: z.string().meta({ description: 'The HTTP method of its requests.', example: 'POST' }),
    createdAt: CreatedAt,
  })
  .meta({
    id: 'Webhook',
    description: 'A webhook without its URL, headers, body and configuration, which are never shown.',
  })
export const WebhookPage = pageOf(Webhook, 'WebhookPage')

export const WebhookBinding = z
  .object({
    id: BindingId,
    webhookId: WebhookId,
    webhookName: z.string().meta({ description: 'The name of the webhook.', example: 'Pager' }),
    enabled: z.boolean().meta({ description: 'False while the binding is paused.', example: true }),
    createdAt: CreatedAt,
  })
  .meta({
    id: 'WebhookBinding',
    description: 'While enabled, sends the events of a resource and everything in it to a webhook.',
  })
export type WebhookBinding = z.output<typeof WebhookBinding>
export const WebhookBindingPage = pageOf(WebhookBinding, 'WebhookBindingPage')

export const BindingRef = z.object({ id: BindingId })

export const BindingCreate = ResourceRef.extend({
  webhookId: WebhookId.meta({ description: 'The webhook that gets the events.' }),
  enabled: z.boolean().default(true).meta({ description: 'False creates the binding paused.', example: true }),
})

export const BindingChange = BindingRef.extend({
  enabled: z.boolean().meta({ description: 'False pauses the binding, true resumes it.', example: false }),
})
