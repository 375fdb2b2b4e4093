import { AccessView } from '../../../../components/access/access-view.tsx'

export default async function WorkspaceAccessPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId: id } = await params
  return <AccessView resourceType="workspace" resourceId={id} />
}
