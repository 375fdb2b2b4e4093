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
  return (
    <Prefetch load={(load) => load('webhooks.list', { pageSize: 100 })}>
      <WebhookView id={(await params).webhookId} />
    </Prefetch>
  )
}
