import { VariablesPage } from '../../../../resource-pages/variables-page.tsx'

export default async function WorkspaceVariablesPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId: id } = await params
  return <VariablesPage resourceType="workspace" resourceId={id} />
}
