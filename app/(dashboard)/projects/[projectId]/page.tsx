import { parseAddress, type SearchParams } from '../../../components/service-list/list-address.ts'
import { Prefetch } from '../../../prefetch.tsx'
import { boardOf } from './board-of.ts'
import { ServicesView } from './services-view.tsx'

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

export default async function ProjectPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const address = parseAddress(await searchParams)
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('status.board', boardOf(projectId, address)),
          load('metrics.project.history', { id: projectId, hours: 24 }),
          load('agents.lost', { projectId }),
        ])
      }
    >
      <ServicesView projectId={projectId} />
    </Prefetch>
  )
}
