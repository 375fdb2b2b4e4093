import { Prefetch } from '../../../prefetch.tsx'
import { boardOf } from './board-of.ts'
import { ServicesView } from './services-view.tsx'

export default async function ProjectPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('status.board', boardOf(projectId, 1)),
          load('metrics.project.history', { id: projectId, hours: 24 }),
          load('agents.lost', { projectId }),
        ])
      }
    >
      <ServicesView projectId={projectId} />
    </Prefetch>
  )
}
