import { ResourceVariables } from '../../../../components/variables/resource-variables.tsx'

export default async function WorkspaceVariablesPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId: id } = await params
  return <ResourceVariables scope="workspace" id={id} />
}
