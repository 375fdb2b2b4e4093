import { BindingsView } from '../../../../components/bindings/bindings-view.tsx'

export default async function ProjectWebhooksPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId: id } = await params
  return <BindingsView resourceType="project" resourceId={id} />
}
