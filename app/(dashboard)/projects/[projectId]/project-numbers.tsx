'use client'

import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../client/api.ts'
import { MetricsStrip } from '../../../components/runs/metrics-strip.tsx'
import { RunHistory } from '../../../components/runs/run-history.tsx'

/** The numbers of all services of a project, and its runs by hour. */
export function ProjectNumbers({ projectId }: { projectId: string }) {
  const project = useQuery(query('projects.get', { id: projectId }))
  const counts = useQuery(query('status.summary', { projectId }))
  return (
    <Stack gap="lg">
      {counts.data && <MetricsStrip metrics={project.data?.metrics} counts={counts.data} />}
      <RunHistory scope="project" id={projectId} />
    </Stack>
  )
}
