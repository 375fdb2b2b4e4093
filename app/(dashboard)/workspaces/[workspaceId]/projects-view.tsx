'use client'

import { useQuery } from '@tanstack/react-query'
import { query } from '../../../client/api.ts'
import { MetricsStrip } from '../../../components/runs/metrics-strip.tsx'
import { RunHistory } from '../../../components/runs/run-history.tsx'
import { ProjectTable } from './project-table.tsx'

export function ProjectsView({ workspaceId }: { workspaceId: string }) {
  // A workspace that is visible only as the way to something beneath has no metrics for the member.
  const metrics = useQuery(query('metrics.workspace.get', { id: workspaceId }))
  return (
    <>
      <MetricsStrip metrics={metrics.data} />
      <RunHistory scope="workspace" id={workspaceId} />
      <ProjectTable workspaceId={workspaceId} />
    </>
  )
}
