import { currentZone } from '../../../current-zone.ts'
import { Prefetch } from '../../../prefetch.tsx'
import { chartIn, filtersIn } from './history/selection.ts'
import { urlParams } from './history/url-params.ts'
import { Overview } from './overview.tsx'
import { RECENT_RUNS } from './state/recent-runs-count.ts'

type Props = { params: Promise<{ serviceId: string }>; searchParams: Promise<Record<string, string | string[]>> }

export default async function ServicePage({ params, searchParams }: Props) {
  const [{ serviceId: id }, given, zone] = await Promise.all([params, searchParams, currentZone()])
  const url = urlParams(given)
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('services.get', { id }),
          load('organization.alertQuestion.get'),
          load('status.service', { id }),
          load('statistics.standing', { id }),
          load('statistics.series', { id, ...chartIn(url, zone) }),
          load('results.search', { id, pageSize: RECENT_RUNS }),
          load('results.search', { id, page: 1, pageSize: 25, ...filtersIn(url, zone) }),
        ])
      }
    >
      <Overview id={id} />
    </Prefetch>
  )
}
