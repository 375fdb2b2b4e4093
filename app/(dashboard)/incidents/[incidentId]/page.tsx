import type { Metadata } from 'next'
import { incidentTitle } from '../../../client/titles/titles.ts'
import { load, Prefetch } from '../../../prefetch.tsx'
import { IncidentView } from './incident-view.tsx'

type Props = { params: Promise<{ incidentId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const incident = await load('incidents.get', { id: (await params).incidentId })
  return { title: incident ? incidentTitle(incident) : 'Incident' }
}

export default async function IncidentPage({ params }: Props) {
  const { incidentId: id } = await params
  return (
    <Prefetch load={(load) => load('incidents.get', { id })}>
      <IncidentView id={id} />
    </Prefetch>
  )
}
