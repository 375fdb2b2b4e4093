import { ProjectsView } from './projects-view.tsx'

export default async function WorkspacePage({ params }: { params: Promise<{ workspaceId: string }> }) {
  return <ProjectsView workspaceId={(await params).workspaceId} />
}
