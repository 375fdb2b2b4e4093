import { AccessView } from '../../../../components/access/access-view.tsx'

export default async function ProjectAccessPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId: id } = await params
  return <AccessView resourceType="project" resourceId={id} />
}
