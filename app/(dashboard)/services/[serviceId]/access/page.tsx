import { AccessPage } from '../../../../resource-pages/access-page.tsx'

export default async function ServiceAccessPage({ params }: { params: Promise<{ serviceId: string }> }) {
  const { serviceId: id } = await params
  return <AccessPage resourceType="service" resourceId={id} />
}
