'use client'

import { useQuery } from '@tanstack/react-query'
import { query } from '../../../client/api.ts'
import { LostAgentsNotice } from '../../../components/agents/lost-agents-notice.tsx'
import { MetricsStrip } from '../../../components/runs/metrics-strip.tsx'
import { RunHistory } from '../../../components/runs/run-history.tsx'
import { ProjectTable } from './project-table.tsx'

export function ProjectsView({ workspaceId }: { workspaceId: string }) {
  // Members who see the workspace only because of a grant below it may not read its metrics.
  const metrics = useQuery(query('metrics.workspace.get', { id: workspaceId }))
  const counts = useQuery(query('status.summary', { workspaceId }))
  return (
    <>
      <LostAgentsNotice of={{ workspaceId }} />
      {counts.data && <MetricsStrip metrics={metrics.data} counts={counts.data} />}
      <RunHistory scope="workspace" id={workspaceId} />
      <ProjectTable workspaceId={workspaceId} />
    </>
  )
}
