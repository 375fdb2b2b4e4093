import type { Metadata } from 'next'
import { incidentTitle } from '../../../client/titles/titles.ts'
import { loadDifferences } from '../../../components/run-diff/load-differences.ts'
import { type Load, load, Prefetch } from '../../../prefetch.tsx'
import { loadAccess } from '../../../prefetch-frame.ts'
import { runsQuery } from './incident-runs.ts'
import { IncidentView } from './incident-view.tsx'

type Props = { params: Promise<{ incidentId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const incident = await load('incidents.get', { id: (await params).incidentId })
  return { title: incident ? incidentTitle(incident) : 'Incident' }
}

export default async function IncidentPage({ params }: Props) {
  const { incidentId: id } = await params
  return (
    <Prefetch load={(load) => loadAll(load, id)}>
      <IncidentView id={id} />
    </Prefetch>
  )
}

async function loadAll(load: Load, id: string): Promise<void> {
  const incident = await load('incidents.get', { id })
  if (!incident) return
  const { serviceId, firstResultId, lastPassingResultId } = incident
  await Promise.all([
    load('agents.lost', { serviceId }),
    loadAccess(load, 'service', serviceId),
    load('incidents.assignees', { id }),
    lastPassingResultId && loadDifferences(load, serviceId, lastPassingResultId, firstResultId),
    load('results.list', runsQuery(incident, 1)),
  ])
}
