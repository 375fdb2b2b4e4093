import type { Metadata } from 'next'
import { load, Prefetch } from '../../../prefetch.tsx'
import { WebhookView } from './webhook-view.tsx'

type Props = { params: Promise<{ webhookId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { webhookId: id } = await params
  const webhooks = await load('webhooks.list', { pageSize: 100 })
  return { title: webhooks?.items.find((item) => item.id === id)?.name ?? 'Webhook' }
}

export default async function WebhookPage({ params }: Props) {
  const { webhookId: id } = await params
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('webhooks.list', { pageSize: 100 }),
          load('organization.webhooks.list', { pageSize: 100 }),
          load('webhooks.bindings.ofWebhook', { webhookId: id, page: 1 }),
          load('organization.webhooks.deliveries.list', { id, page: 1, pageSize: 20 }),
        ])
      }
    >
      <WebhookView id={id} />
    </Prefetch>
  )
}
