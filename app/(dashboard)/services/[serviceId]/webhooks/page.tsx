import { BindingsPage } from '../../../../resource-pages/bindings-page.tsx'

export default async function ServiceWebhooksPage({ params }: { params: Promise<{ serviceId: string }> }) {
  const { serviceId: id } = await params
  return <BindingsPage resourceType="service" resourceId={id} />
}
