import { Prefetch } from '../../../prefetch.tsx'
import { ProjectsView } from './projects-view.tsx'

export default async function WorkspacePage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('status.projects', { workspaceId, page: 1 }),
          load('metrics.workspace.get', { id: workspaceId }),
          load('metrics.workspace.history', { id: workspaceId, hours: 24 }),
          load('agents.lost', { workspaceId }),
        ])
      }
    >
      <ProjectsView workspaceId={workspaceId} />
    </Prefetch>
  )
}
