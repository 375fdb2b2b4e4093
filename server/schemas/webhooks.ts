import { z } from 'zod'
import { BindingId, CreatedAt, Id, openEnum, ProjectId, pageOf, WebhookId } from './conventions.ts'
import { BINDING_SCOPES } from './scopes.ts'

export const Webhook = z
  .object({
    id: WebhookId,
    name: z.string().meta({ description: 'The name, unique in the organization.', example: 'Pager' }),
    label: z
      .string()
      .nullable()
      .meta({ description: 'A short text shown next to the name; null without one.', example: 'on call' }),
    method: z.string().meta({ description: 'The HTTP method of its requests.', example: 'POST' }),
    bindingCount: z.int().meta({
      description: 'To how many scopes it is bound, paused bindings included. With 0, it is notified of nothing.',
      example: 1,
    }),
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
    description: 'While enabled, sends the events of a scope and everything in it to a webhook.',
  })
export type WebhookBinding = z.output<typeof WebhookBinding>
export const WebhookBindingPage = pageOf(WebhookBinding, 'WebhookBindingPage')

/** What a binding belongs to, named by its type and id. */
export const BindingScopeRef = z.object({
  resourceType: z
    .enum(BINDING_SCOPES)
    .meta({ description: 'What the binding belongs to: a resource, or the whole organization.', example: 'project' }),
  resourceId: ProjectId.meta({
    description:
      'The id of the workspace, project or service. For `organization`, the id of the organization of the key.',
  }),
})
export type BindingScopeRef = z.output<typeof BindingScopeRef>

/** A binding with what it belongs to, for the dashboard. */
export const PlacedBinding = z.object({
  ...WebhookBinding.shape,
  resourceType: openEnum(BINDING_SCOPES),
  /** Null for a resource that the caller cannot see. */
  resourceId: Id.nullable(),
  resourceName: z.string().nullable(),
})
export type PlacedBinding = z.output<typeof PlacedBinding>
export const PlacedBindingPage = pageOf(PlacedBinding, 'PlacedBindingPage')

export const BindingRef = z.object({ id: BindingId })

export const BindingCreate = BindingScopeRef.extend({
  webhookId: WebhookId.meta({ description: 'The webhook that gets the events.' }),
  enabled: z.boolean().default(true).meta({ description: 'False creates the binding paused.', example: true }),
})

export const BindingChange = BindingRef.extend({
  enabled: z.boolean().meta({ description: 'False pauses the binding, true resumes it.', example: false }),
})
