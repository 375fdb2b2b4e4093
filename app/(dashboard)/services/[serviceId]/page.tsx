import { Overview } from './overview.tsx'

export default async function ServicePage({ params }: { params: Promise<{ serviceId: string }> }) {
  return <Overview id={(await params).serviceId} />
}
