import { StatisticsView } from './statistics-view.tsx'

export default async function StatisticsPage({ params }: { params: Promise<{ serviceId: string }> }) {
  return <StatisticsView id={(await params).serviceId} />
}
