import type { Metadata } from 'next'
import { load, Prefetch } from '../../../prefetch.tsx'
import { WebhookView } from './webhook-view.tsx'

type Props = { params: Promise<{ webhookId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { webhookId: id } = await params
  const webhook = await load('organization.webhooks.summary', { id })
  return { title: webhook?.name ?? 'Webhook' }
}

export default async function WebhookPage({ params }: Props) {
  const { webhookId: id } = await params
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('organization.webhooks.summary', { id }),
          load('organization.webhooks.get', { id }),
          load('webhooks.bindings.ofWebhook', { webhookId: id, page: 1 }),
          load('organization.webhooks.deliveries.list', { id, page: 1, pageSize: 20 }),
        ])
      }
    >
      <WebhookView id={id} />
    </Prefetch>
  )
}
