import { ResourceVariables } from '../../../../components/variables/resource-variables.tsx'

export default async function ServiceVariablesPage({ params }: { params: Promise<{ serviceId: string }> }) {
  const { serviceId: id } = await params
  return <ResourceVariables scope="service" id={id} />
}
