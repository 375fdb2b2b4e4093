'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../../client/api.ts'
import { EventList } from '../../../../components/alerts/event-list.tsx'
import { Section } from '../../../../components/layout/section.tsx'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import { AlertPreview } from './alert-preview.tsx'

/** Who would be notified of a failure now, and what became of past events. */
export function AlertsView({ id }: { id: string }) {
  const [page, setPage] = useState(1)
  const events = useQuery(query('alerts.events', { id, page, pageSize: 10 }))
  const preview = useQuery({ ...query('alerts.preview', { id }), refetchInterval: 60_000 })
  return (
    <>
      <Section title="Who is notified" intro="These members and webhooks would be notified if the service failed now.">
        <Loaded query={preview} rows={2}>
          {(alerting) => <AlertPreview alerting={alerting} />}
        </Loaded>
      </Section>
      <EventList
        events={events}
        onPage={setPage}
        intro="Events of this service, with the messages sent and the reasons for those not sent."
        empty="No alerts yet. The first failure or recovery is listed here."
        serviceId={id}
      />
    </>
  )
}
