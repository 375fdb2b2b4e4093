import { Prefetch } from '../../../../prefetch.tsx'
import { MetricsTokens } from './metrics-tokens.tsx'

export default async function ProjectMetricsPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId: id } = await params
  return (
    <Prefetch load={(load) => load('projects.metricsTokens.list', { id })}>
      <MetricsTokens id={id} />
    </Prefetch>
  )
}
