import { VariablesPage } from '../../../../resource-pages/variables-page.tsx'

export default async function ProjectVariablesPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId: id } = await params
  return <VariablesPage resourceType="project" resourceId={id} />
}
