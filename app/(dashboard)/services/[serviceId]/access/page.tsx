import { AccessView } from '../../../../components/access/access-view.tsx'

export default async function ServiceAccessPage({ params }: { params: Promise<{ serviceId: string }> }) {
  const { serviceId: id } = await params
  return <AccessView resourceType="service" resourceId={id} />
}
