import type { Metadata } from 'next'
import { WebhookView } from './webhook-view.tsx'

export const metadata: Metadata = { title: 'Webhook' }

export default async function WebhookPage({ params }: { params: Promise<{ webhookId: string }> }) {
  return <WebhookView id={(await params).webhookId} />
}
