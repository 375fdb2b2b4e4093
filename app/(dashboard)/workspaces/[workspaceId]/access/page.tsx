import { AccessPage } from '../../../../resource-pages/access-page.tsx'

export default async function WorkspaceAccessPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId: id } = await params
  return <AccessPage resourceType="workspace" resourceId={id} />
}
