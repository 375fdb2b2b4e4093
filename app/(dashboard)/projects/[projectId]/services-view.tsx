'use client'

import { useQuery } from '@tanstack/react-query'
import { query } from '../../../client/api.ts'
import { useResourceAccess } from '../../../client/use-resource-access.ts'
import { LostAgentsNotice } from '../../../components/lost-agents-notice.tsx'
import { MetricsStrip } from '../../../components/runs/metrics-strip.tsx'
import { RunHistory } from '../../../components/runs/run-history.tsx'
import { ServiceTable } from './service-table.tsx'

export function ServicesView({ projectId }: { projectId: string }) {
  const project = useQuery(query('projects.get', { id: projectId }))
  const counts = useQuery(query('status.summary', { projectId }))
  const { mayWrite } = useResourceAccess('project', projectId)
  return (
    <>
      <LostAgentsNotice of={{ projectId }} />
      {counts.data && <MetricsStrip metrics={project.data?.metrics} counts={counts.data} />}
      <RunHistory scope="project" id={projectId} />
      <ServiceTable projectId={projectId} mayWrite={mayWrite} />
    </>
  )
}
