import { AccessPage } from '../../../../resource-pages/access-page.tsx'

export default async function ProjectAccessPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId: id } = await params
  return <AccessPage resourceType="project" resourceId={id} />
}
