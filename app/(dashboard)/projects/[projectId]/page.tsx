import { ServicesView } from './services-view.tsx'

export default async function ProjectPage({ params }: { params: Promise<{ projectId: string }> }) {
  return <ServicesView projectId={(await params).projectId} />
}
