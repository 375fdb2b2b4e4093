import { BindingsPage } from '../../../../resource-pages/bindings-page.tsx'

export default async function ProjectWebhooksPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId: id } = await params
  return <BindingsPage resourceType="project" resourceId={id} />
}
