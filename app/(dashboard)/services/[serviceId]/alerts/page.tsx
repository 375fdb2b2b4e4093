import { Prefetch } from '../../../../prefetch.tsx'
import { AlertsView } from './alerts-view.tsx'

export default async function AlertsPage({ params }: { params: Promise<{ serviceId: string }> }) {
  const { serviceId: id } = await params
  return (
    <Prefetch
      load={(load) =>
        Promise.all([load('alerts.events', { id, page: 1, pageSize: 10 }), load('alerts.preview', { id })])
      }
    >
      <AlertsView id={id} />
    </Prefetch>
  )
}
