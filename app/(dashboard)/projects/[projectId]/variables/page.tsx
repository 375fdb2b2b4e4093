import { ResourceVariables } from '../../../../components/variables/resource-variables.tsx'

export default async function ProjectVariablesPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId: id } = await params
  return <ResourceVariables scope="project" id={id} />
}
