import { BindingsPage } from '../../../../resource-pages/bindings-page.tsx'

export default async function WorkspaceWebhooksPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId: id } = await params
  return <BindingsPage resourceType="workspace" resourceId={id} />
}
