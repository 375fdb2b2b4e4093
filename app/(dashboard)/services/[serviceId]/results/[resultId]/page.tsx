import type { Metadata } from 'next'
import { zonedText } from '../../../../../components/zoned-text.ts'
import { currentZone } from '../../../../../current-zone.ts'
import { type Load, load, Prefetch } from '../../../../../prefetch.tsx'
import { NeighbourRuns } from './neighbour-runs.tsx'
import { ResultView } from './result-view.tsx'

type Props = {
  params: Promise<{ serviceId: string; resultId: string }>
  searchParams: Promise<{ compare?: string | string[] }>
}

/** The title says which run this is, because several results are open side by side. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { serviceId, resultId } = await params
  const [service, run] = await Promise.all([
    load('services.get', { id: serviceId }),
    load('results.get', { id: serviceId, resultId }),
  ])
  if (!service || !run) return { title: 'Result' }
  const time = zonedText(run.startedAt, await currentZone(), { dateStyle: 'medium', timeStyle: 'short' })
  // The title of the service's layout ends the template of the root.
  return { title: { absolute: `${service.name}: ${run.status}, ${time} · Soundline` } }
}

export default async function ResultPage(props: Props) {
  const { serviceId, resultId } = await props.params
  const { compare } = await props.searchParams
  return (
    <Prefetch load={(load) => loadAll(load, serviceId, resultId, [compare].flat()[0])}>
      <NeighbourRuns serviceId={serviceId} resultId={resultId} />
      <ResultView serviceId={serviceId} resultId={resultId} />
    </Prefetch>
  )
}

async function loadAll(load: Load, id: string, resultId: string, compare: string | undefined): Promise<void> {
  const otherId = async () => {
    if (compare !== 'passing') return compare
    return (await load('results.lastPassing', { id, resultId }))?.result?.id
  }
  const loadOther = async () => {
    const other = await otherId()
    if (other) await load('results.get', { id, resultId: other })
  }
  await Promise.all([load('results.get', { id, resultId }), loadOther()])
}
