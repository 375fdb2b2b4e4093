import type { Metadata } from 'next'
import { WEBHOOK_PRESETS } from '#server/schemas/organization/webhook-presets.ts'
import { Prefetch } from '../../prefetch.tsx'
import { Webhooks } from './webhooks.tsx'

export const metadata: Metadata = { title: 'Webhooks' }

type Props = { searchParams: Promise<{ new?: string | string[] }> }

/** `?new=slack` opens the form of a new webhook with this preset. */
export default async function WebhooksPage({ searchParams }: Props) {
  const { new: wanted } = await searchParams
  const newPreset = WEBHOOK_PRESETS.find((preset) => preset === wanted) ?? null
  return (
    <Prefetch load={(load) => load('organization.webhooks.overview', { page: 1 })}>
      <Webhooks newPreset={newPreset} />
    </Prefetch>
  )
}
