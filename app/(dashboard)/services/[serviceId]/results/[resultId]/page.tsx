import { NeighbourRuns } from './neighbour-runs.tsx'
import { ResultView } from './result-view.tsx'

export default async function ResultPage(props: { params: Promise<{ serviceId: string; resultId: string }> }) {
  const { serviceId, resultId } = await props.params
  return (
    <>
      <NeighbourRuns serviceId={serviceId} resultId={resultId} />
      <ResultView serviceId={serviceId} resultId={resultId} />
    </>
  )
}
