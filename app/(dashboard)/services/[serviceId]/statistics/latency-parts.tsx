'use client'

import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Range } from '#server/schemas/results/ranges.ts'
import type { LatencyParts as Data } from '#server/schemas/results/series.ts'
import { useUrlState } from '../../../../client/addresses/url-state.ts'
import { query } from '../../../../client/api.ts'
import { useZone } from '../../../../client/zone.tsx'
import colors from '../../../../components/charts/chart-colors.module.css'
import { CsvButton } from '../../../../components/charts/csv-button.tsx'
import { Legend } from '../../../../components/charts/legend.tsx'
import { LINE_COLORS } from '../../../../components/charts/line-colors.ts'
import { Plot } from '../../../../components/charts/plot.tsx'
import { axisUpTo, barOf, linePath } from '../../../../components/charts/scale.ts'
import { Section } from '../../../../components/layout/section.tsx'
import { millisecondsText } from '../../../../components/numbers.ts'
import { PHASES } from '../../../../components/runs/phases.ts'
import { chartFrame } from '../history/chart-frame.ts'
import { chartIn } from '../history/selection.ts'
import { useZoom } from '../history/use-zoom.ts'

const VIEWS = [
  { value: 'phases', label: 'By phase' },
  { value: 'agents', label: 'By agent' },
] as const
type View = (typeof VIEWS)[number]['value']

/** A phase or an agent: its mean in each bucket. */
type Part = { label: string; color: string; ms: (number | null)[] }

/** The height of the chart with its captions, kept free while it loads. */
const CHART_HEIGHT = 280

/** The mean response time of a run, by phase or by agent. Both have the same axes, so that switching compares them. */
export function LatencyParts({ serviceId }: { serviceId: string }) {
  const [params] = useUrlState()
  const { zone } = useZone()
  const [view, setView] = useState<View>('phases')
  const latency = useQuery({
    ...query('statistics.latency', { id: serviceId, ...chartIn(params, zone) }),
    placeholderData: keepPreviousData,
  })
  const { data } = latency
  return (
    <Section
      title="Where the time goes"
      intro="The mean response time of a run: its phases on all agents, or all of it on each agent, on the same scale."
      actions={
        <Group gap="xs">
          {data && <PartsCsv serviceId={serviceId} data={data} view={view} />}
          <SegmentedControl
            size="xs"
            aria-label="Divide the response time"
            data={[...VIEWS]}
            value={view}
            onChange={(value) => setView(value as View)}
          />
        </Group>
      }
    >
      {data ? (
        <Stack gap="sm" mih={CHART_HEIGHT}>
          <Chart serviceId={serviceId} data={data} view={view} />
        </Stack>
      ) : (
        <Skeleton height={CHART_HEIGHT} aria-busy="true" aria-label="Loading" />
      )}
    </Section>
  )
}

function Chart({ serviceId, data, view }: { serviceId: string; data: Data; view: View }) {
  const { zoom, zoomTo, reset } = useZoom()
  const { buckets } = data
  const frame = chartFrame(serviceId, { ...data, range: data.range as Range }, zoom)
  const phases = phasesOf(data)
  const agents = agentsOf(data)
  const totals = buckets.map((_, i) => sumAt(phases, i))
  const highest = [...totals, ...agents.flatMap(({ ms }) => ms)].map((ms) => ms ?? 0)
  const axis = axisUpTo(Math.max(1, ...highest), millisecondsText)
  const drawn = view === 'phases' ? phases : slowest(agents)
  return (
    <>
      <Legend entries={drawn} />
      <Plot
        label={view === 'phases' ? 'Response time by phase' : 'Response time by agent'}
        unit="Mean response time of a run"
        timeUnit={frame.timeUnit}
        height={160}
        axis={axis}
        columns={frame.columns.map((column, i) => ({
          ...column,
          values:
            totals[i] === null
              ? ['no response']
              : [
                  ...drawn.map(({ label, ms }) => `${label} ${millisecondsText(ms[i])}`),
                  ...(view === 'phases' ? [`all ${millisecondsText(totals[i])}`] : []),
                ],
        }))}
        times={frame.times}
        onZoom={zoomTo(buckets)}
        onReset={reset}
      >
        {view === 'phases' ? <Stacked parts={drawn} buckets={buckets} max={axis.max} /> : null}
        {view === 'agents' &&
          drawn.map(({ label, color, ms }) => (
            <path key={label} className={colors.line} stroke={`var(--${color})`} d={linePath(ms, axis.max)} />
          ))}
      </Plot>
      {drawn.length < agents.length && view === 'agents' && (
        <Text size="sm" c="dimmed">
          The {drawn.length} slowest of {agents.length} agents. The CSV has all of them.
        </Text>
      )}
    </>
  )
}

/** The phases of each bucket on top of one another. */
function Stacked({ parts, buckets, max }: { parts: Part[]; buckets: Data['buckets']; max: number }) {
  return parts.flatMap(({ label, color, ms }, part) =>
    buckets.map(({ start }, index) => {
      const value = ms[index]
      if (!value) return null
      const from = sumAt(parts.slice(0, part), index) ?? 0
      return (
        <rect
          key={`${label} ${start}`}
          fill={`var(--${color})`}
          {...barOf(index, buckets.length, [from, from + value], max)}
        />
      )
    }),
  )
}

function PartsCsv({ serviceId, data, view }: { serviceId: string; data: Data; view: View }) {
  const parts = view === 'phases' ? phasesOf(data) : agentsOf(data)
  return (
    <CsvButton
      of={view === 'phases' ? 'the response time by phase' : 'the response time by agent'}
      name={`${view}-${serviceId}-${data.range}`}
      rows={() => [
        ['start (UTC)', 'end (UTC)', ...parts.map(({ label }) => `${label} (ms)`)],
        ...data.buckets.map(({ start, end }, i) => [start, end, ...parts.map(({ ms }) => ms[i] ?? null)]),
      ]}
    />
  )
}

function phasesOf({ phases }: Data): Part[] {
  return PHASES.map(({ key, label }, i) => {
    return { label, color: LINE_COLORS[i] as string, ms: phases.find((phase) => phase.key === key)?.ms ?? [] }
  })
}

function agentsOf({ agents }: Data): Part[] {
  return agents.map(({ slug, ms }, i) => ({ label: slug, color: LINE_COLORS[i % LINE_COLORS.length] as string, ms }))
}

/** Those that a chart can show, in their order. */
function slowest(agents: Part[]): Part[] {
  const highest = ({ ms }: Part) => Math.max(0, ...ms.map((value) => value ?? 0))
  const kept = new Set(agents.toSorted((a, b) => highest(b) - highest(a)).slice(0, LINE_COLORS.length))
  return agents.filter((agent) => kept.has(agent)).map((agent, i) => ({ ...agent, color: LINE_COLORS[i] as string }))
}

/** Returns the sum of the parts of a bucket; null if none has a value. */
function sumAt(parts: Part[], index: number): number | null {
  const values = parts.map(({ ms }) => ms[index] ?? null)
  return values.every((value) => value === null) ? null : values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
}
