'use client'

import { Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { WINDOWS, type Window } from '#server/schemas/statistics.ts'
import { type Output, query } from '../../../../client/api.ts'
import { Section } from '../../../../components/layout/section.tsx'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import { AssertionFailures } from './assertion-failures.tsx'
import { EndpointSeries } from './endpoint-series.tsx'
import { EndpointTable } from './endpoint-table.tsx'
import { FailureHeatmap } from './failure-heatmap.tsx'
import { LatencyChart } from './latency-chart.tsx'
import { RunChart } from './run-chart.tsx'

const WINDOW_LABELS: Record<Window, string> = { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days' }

/** The statistics of a service over a time window: latency, runs, endpoints, failed assertions, and times of failures. */
export function StatisticsView({ id }: { id: string }) {
  const [window, setWindow] = useState<Window>('24h')
  const statistics = useQuery({
    ...query('statistics.overview', { id, window }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  return (
    <Stack gap="lg">
      <SegmentedControl
        aria-label="Time window"
        data={WINDOWS.map((value) => ({ value, label: WINDOW_LABELS[value] }))}
        value={window}
        onChange={(value) => setWindow(value as Window)}
        style={{ alignSelf: 'flex-start' }}
      />
      <Loaded query={statistics}>{(data) => <Overview key={data.window} statistics={data} />}</Loaded>
      <EndpointSeries serviceId={id} window={window} />
      <AssertionFailures serviceId={id} window={window} />
      <FailureHeatmap serviceId={id} />
    </Stack>
  )
}

function Overview({ statistics }: { statistics: Output<'statistics.overview'> }) {
  const [agent, setAgent] = useState<string | null>(null)
  const { overall, regions, endpoints } = statistics
  const buckets = regions.find((region) => region.agentSlug === agent)?.buckets ?? overall
  const isDaily = statistics.bucketType === 'day'
  if (overall.every((bucket) => bucket.probeCount === 0)) {
    return (
      <Text c="dimmed" size="sm">
        No runs in this time window.
      </Text>
    )
  }
  return (
    <>
      {regions.length > 1 && (
        <Group>
          <Select
            label="Agent"
            placeholder="All agents"
            data={regions.map((region) => region.agentSlug)}
            value={agent}
            onChange={setAgent}
            clearable
          />
        </Group>
      )}
      <Section title="Latency" intro={`The sum of the response times of a run, by ${isDaily ? 'day' : 'hour'}.`}>
        <LatencyChart buckets={buckets} isDaily={isDaily} />
      </Section>
      <Section title="Runs" intro={`Passed and failed runs, by ${isDaily ? 'day' : 'hour'}.`}>
        <RunChart buckets={buckets} isDaily={isDaily} />
      </Section>
      <Section
        title="Endpoints"
        intro="Each method and URL of the script. Brackets show the change since the previous window."
      >
        <EndpointTable endpoints={endpoints} />
        {statistics.endpointsTruncated && (
          <Text size="sm" c="dimmed">
            Only the endpoints with the most calls are shown.
          </Text>
        )}
      </Section>
    </>
  )
}
