'use client'

import { NativeSelect, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Window } from '#server/schemas/statistics.ts'
import { useUrlState } from '../../../../client/addresses/url-state.ts'
import { query } from '../../../../client/api.ts'
import { useZone } from '../../../../client/zone.tsx'
import { Section } from '../../../../components/layout/section.tsx'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import { HistoryCharts } from '../history/history-charts.tsx'
import { chartIn, filtersIn, rangeIn, windowOf } from '../history/selection.ts'
import { AssertionFailures } from './assertion-failures.tsx'
import { EndpointSeries } from './endpoint-series.tsx'
import { EndpointTable } from './endpoint-table.tsx'
import { FailureHeatmap } from './failure-heatmap.tsx'
import { LatencyParts } from './latency-parts.tsx'

/** The statistics of a service over the range in the URL: runs, latency, endpoints, failed assertions, times of failures. */
export function StatisticsView({ id }: { id: string }) {
  const [params, change] = useUrlState()
  const { zone } = useZone()
  const { agent } = filtersIn(params, zone)
  const series = useQuery({
    ...query('statistics.series', { id, ...chartIn(params, zone), agent }),
    placeholderData: keepPreviousData,
  })
  const agents = [...new Set([...(series.data?.agents ?? []), ...(agent ? [agent] : [])])]
  const window = windowOf(rangeIn(params))
  return (
    <Stack gap="lg">
      {agents.length > 1 && (
        <NativeSelect
          label="Agent"
          w={220}
          data={[{ value: '', label: 'All agents' }, ...agents]}
          value={agent ?? ''}
          onChange={(event) => change({ agent: event.currentTarget.value || null })}
        />
      )}
      <HistoryCharts serviceId={id} agent={agent} />
      <LatencyParts serviceId={id} />
      {window === null ? (
        <Text size="sm" c="dimmed">
          Endpoints and assertions are counted by the hour. Choose 24 h or a longer range to see them.
        </Text>
      ) : (
        <>
          <EndpointSeries serviceId={id} window={window} />
          <Endpoints id={id} window={window} />
          <AssertionFailures serviceId={id} window={window} />
        </>
      )}
      <FailureHeatmap serviceId={id} />
    </Stack>
  )
}

function Endpoints({ id, window }: { id: string; window: Window }) {
  const statistics = useQuery({ ...query('statistics.overview', { id, window }), placeholderData: keepPreviousData })
  return (
    <Section
      title="Endpoints"
      intro="Each method and URL of the script, on all agents. Brackets show the change since the previous window."
    >
      <Loaded query={statistics}>
        {({ endpoints, endpointsTruncated }) => (
          <>
            <EndpointTable endpoints={endpoints} />
            {endpointsTruncated && (
              <Text size="sm" c="dimmed">
                Only the endpoints with the most calls are shown.
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}
