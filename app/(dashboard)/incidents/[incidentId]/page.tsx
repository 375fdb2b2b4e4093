import type { Metadata } from 'next'
import { IncidentView } from './incident-view.tsx'

export const metadata: Metadata = { title: 'Incident' }

export default async function IncidentPage({ params }: { params: Promise<{ incidentId: string }> }) {
  return <IncidentView id={(await params).incidentId} />
}
