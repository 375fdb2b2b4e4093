import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { Webhooks } from './webhooks.tsx'

export const metadata: Metadata = { title: 'Webhooks' }

export default function WebhooksPage() {
  return (
    <Prefetch load={(load) => load('webhooks.list', { page: 1 })}>
      <Webhooks />
    </Prefetch>
  )
}
