'use client'

import { useQuery } from '@tanstack/react-query'
import { query } from '../../../../client/api.ts'
import { Section } from '../../../../components/layout/section.tsx'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import { AlertPreview } from './alert-preview.tsx'
import { EventList } from './event-list.tsx'

/** Who would be notified of a failure now, and what became of past events. */
export function AlertsView({ id }: { id: string }) {
  const preview = useQuery({ ...query('alerts.preview', { id }), refetchInterval: 60_000 })
  return (
    <>
      <Section title="Who is notified" intro="These members and webhooks would be notified if the service failed now.">
        <Loaded query={preview} rows={2}>
          {(alerting) => <AlertPreview alerting={alerting} />}
        </Loaded>
      </Section>
      <EventList serviceId={id} />
    </>
  )
}
