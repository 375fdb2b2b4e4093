import type { Metadata } from 'next'
import { runTitle } from '../../../../../client/titles/titles.ts'
import { load, Prefetch } from '../../../../../prefetch.tsx'
import { RunView } from './run-view.tsx'

type Props = { params: Promise<{ serviceId: string; runId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { serviceId: id, runId } = await params
  const [service, run] = await Promise.all([load('services.get', { id }), load('services.runs.get', { id, runId })])
  if (!service || !run) return { title: 'Run' }
  return { title: { absolute: `${runTitle(run, service.name)} – Soundline` } }
}

export default async function RunPage({ params }: Props) {
  const { serviceId, runId } = await params
  return (
    <Prefetch load={(load) => load('services.runs.get', { id: serviceId, runId })}>
      <RunView serviceId={serviceId} runId={runId} />
    </Prefetch>
  )
}
