import { currentZone } from '../../../../current-zone.ts'
import { Prefetch } from '../../../../prefetch.tsx'
import { filtersIn, rangeIn, WEEK_DAYS, windowOf } from '../history/selection.ts'
import { urlParams } from '../history/url-params.ts'
import { StatisticsView } from './statistics-view.tsx'

type Props = { params: Promise<{ serviceId: string }>; searchParams: Promise<Record<string, string | string[]>> }

export default async function StatisticsPage({ params, searchParams }: Props) {
  const [{ serviceId: id }, given, zone] = await Promise.all([params, searchParams, currentZone()])
  const url = urlParams(given)
  const range = rangeIn(url)
  const window = windowOf(range)
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('services.get', { id }),
          load('statistics.series', { id, range, zone, agent: filtersIn(url, zone).agent }),
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
