import { useQuery } from '@tanstack/react-query'
import { query } from '../../client/api.ts'
import type { Crumb } from './page-frame.tsx'

const START: Crumb = { label: 'Workspaces', href: '/workspaces' }

/** Returns the breadcrumbs of a project in this workspace. */
export function useWorkspaceCrumbs(workspaceId: string | undefined): Crumb[] {
  const workspace = useQuery({ ...query('workspaces.get', { id: workspaceId ?? '' }), enabled: !!workspaceId })
  if (!workspace.data) return [START]
  return [START, { label: workspace.data.name, href: `/workspaces/${workspace.data.id}` }]
}

/** Returns the breadcrumbs of a service in this project. */
export function useProjectCrumbs(projectId: string | undefined): Crumb[] {
  const project = useQuery({ ...query('projects.get', { id: projectId ?? '' }), enabled: !!projectId })
  const above = useWorkspaceCrumbs(project.data?.workspaceId)
  if (!project.data) return above
  return [...above, { label: project.data.name, href: `/projects/${project.data.id}` }]
}
