import { VariablesPage } from '../../../../resource-pages/variables-page.tsx'

export default async function ServiceVariablesPage({ params }: { params: Promise<{ serviceId: string }> }) {
  const { serviceId: id } = await params
  return <VariablesPage resourceType="service" resourceId={id} />
}
