import { BindingsView } from '../../../../components/bindings/bindings-view.tsx'

export default async function ServiceWebhooksPage({ params }: { params: Promise<{ serviceId: string }> }) {
  const { serviceId: id } = await params
  return <BindingsView resourceType="service" resourceId={id} />
}
