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

/** How the service did over a window: runs, latencies, endpoints, failing assertions, and when failures happen. */
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
        aria-label="Window"
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
        No runs in this window.
      </Text>
    )
  }
  return (
    <>
      {regions.length > 1 && (
        <Group>
          <Select
            label="Agent"
            placeholder="All of them"
            data={regions.map((region) => region.agentSlug)}
            value={agent}
            onChange={setAgent}
            clearable
          />
        </Group>
      )}
      <Section title="Latency" intro={`Of runs, by ${isDaily ? 'day' : 'hour'}: the sum of a run's response times.`}>
        <LatencyChart buckets={buckets} isDaily={isDaily} />
      </Section>
      <Section title="Runs" intro={`Successful and failed, by ${isDaily ? 'day' : 'hour'}.`}>
        <RunChart buckets={buckets} isDaily={isDaily} />
      </Section>
      <Section
        title="Endpoints"
        intro="Each method and URL as the script has it. In brackets, the change against the window before."
      >
        <EndpointTable endpoints={endpoints} />
        {statistics.endpointsTruncated && (
          <Text size="sm" c="dimmed">
            Only the most called are shown.
          </Text>
        )}
      </Section>
    </>
  )
}
