import { currentZone } from '../../../../current-zone.ts'
import { Prefetch } from '../../../../prefetch.tsx'
import { chartIn, filtersIn, rangeIn, WEEK_DAYS, windowOf } from '../history/selection.ts'
import { urlParams } from '../history/url-params.ts'
import { StatisticsView } from './statistics-view.tsx'

type Props = { params: Promise<{ serviceId: string }>; searchParams: Promise<Record<string, string | string[]>> }

export default async function StatisticsPage({ params, searchParams }: Props) {
  const [{ serviceId: id }, given, zone] = await Promise.all([params, searchParams, currentZone()])
  const url = urlParams(given)
  const window = windowOf(rangeIn(url))
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('services.get', { id }),
          load('statistics.series', { id, ...chartIn(url, zone), agent: filtersIn(url, zone).agent }),
          load('statistics.latency', { id, ...chartIn(url, zone) }),
          load('statistics.week', { id, days: WEEK_DAYS, zone }),
          window && load('statistics.endpointSeries', { id, window }),
          window && load('statistics.overview', { id, window }),
          window && load('statistics.assertions', { id, window }),
        ])
      }
    >
      <StatisticsView id={id} />
    </Prefetch>
  )
}
