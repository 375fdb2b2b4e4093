import { BindingsView } from '../../../../components/bindings/bindings-view.tsx'

export default async function WorkspaceWebhooksPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId: id } = await params
  return <BindingsView resourceType="workspace" resourceId={id} />
}
