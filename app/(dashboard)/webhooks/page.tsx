import type { Metadata } from 'next'
import { Webhooks } from './webhooks.tsx'

export const metadata: Metadata = { title: 'Webhooks' }

export default function WebhooksPage() {
  return <Webhooks />
}
