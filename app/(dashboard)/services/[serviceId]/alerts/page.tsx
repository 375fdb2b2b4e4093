import { AlertsView } from './alerts-view.tsx'

export default async function AlertsPage({ params }: { params: Promise<{ serviceId: string }> }) {
  return <AlertsView id={(await params).serviceId} />
}
