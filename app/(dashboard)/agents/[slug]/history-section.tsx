'use client'

import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AgentHistory } from '#server/schemas/agents.ts'
import { query } from '../../../client/api.ts'
import colors from '../../../components/charts/chart-colors.module.css'
import { Plot } from '../../../components/charts/plot.tsx'
import { axisUpTo } from '../../../components/charts/scale.ts'
import { periodText, timeLabels } from '../../../components/charts/time-labels.ts'
import { Section } from '../../../components/layout/section.tsx'
import { NoEntries } from '../../../components/lists/no-entries.tsx'
import { millisecondsText, uptimeText } from '../../../components/numbers.ts'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { type AgentDay, daysOf } from './history-days.ts'

/** The height of the charts, kept free while they load. */
const CHARTS_HEIGHT = 420
const MINUTE_MS = 60_000

const countText = (value: number) => value.toLocaleString('en')

/** What an agent did in the last 30 days, by UTC day. */
export function HistorySection({ slug }: { slug: string }) {
  const history = useQuery({ ...query('organization.agents.history', { slug }), refetchInterval: MINUTE_MS })
  return (
    <Section title="Last 30 days" intro="Sampled every minute.">
      {history.error && <ProblemAlert error={history.error} onRetry={() => history.refetch()} />}
      {history.data ? (
        <Charts history={history.data} />
      ) : (
        <Skeleton height={CHARTS_HEIGHT} aria-busy="true" aria-label="Loading" />
      )}
    </Section>
  )
}

function Charts({ history }: { history: AgentHistory }) {
  if (history.hours.length === 0)
    return <NoEntries>No data yet. The first hour appears once a process of the agent has run.</NoEntries>
  const days = daysOf(history)
  // What shared agents execute is shown to the operator alone.
  const showsRuns = history.hours.every(({ runs }) => runs !== null)
  return (
    <Stack gap="md">
      <Text size="sm">
        A process was running for <strong>{uptimeText(history.availability)}</strong> of the time since the first
        recorded hour.
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} mih={showsRuns ? CHARTS_HEIGHT : undefined}>
        <DayChart
          days={days}
          label="Availability by day"
          unit="Running, %"
          measure={(day) => day.alive}
          format={uptimeText}
          highest={100}
        />
        {showsRuns && (
          <>
            <DayChart
              days={days}
              label="Busy slots by day"
              unit="Busy slots, maximum"
              measure={(day) => day.busy}
              format={countText}
              text={({ busy, slots }) => (busy === null ? 'unknown' : `${countText(busy)} of ${countText(slots ?? 0)}`)}
            />
            <DayChart
              days={days}
              label="Runs by day"
              unit="Finished runs"
              measure={(day) => day.runs}
              format={countText}
            />
          </>
        )}
        <DayChart
          days={days}
          label="Lateness by day"
          unit="Lateness, maximum"
          measure={(day) => day.latenessMs}
          format={millisecondsText}
        />
      </SimpleGrid>
    </Stack>
  )
}

function DayChart(props: {
  days: AgentDay[]
  label: string
  unit: string
  measure: (day: AgentDay) => number | null
  format: (value: number) => string
  /** What a day says; by default its value. */
  text?: (day: AgentDay) => string
  highest?: number
}) {
  const { days, measure, format } = props
  const textOf = props.text ?? ((day: AgentDay) => textOrUnknown(measure(day), format))
  const axis = axisUpTo(props.highest ?? Math.max(1, ...days.map((day) => measure(day) ?? 0)), format, 1)
  const width = 100 / Math.max(1, days.length)
  return (
    <Plot
      label={props.label}
      unit={props.unit}
      timeUnit="By day, UTC."
      height={120}
      axis={axis}
      columns={days.map((day) => ({
        key: day.start,
        text: `${periodText(day.start, day.start, '30d', 'UTC')}: ${textOf(day)}`,
      }))}
      times={timeLabels(days, '30d', 'UTC')}
    >
      {days.map((day, index) => {
        const share = ((measure(day) ?? 0) / axis.max) * 100
        return (
          <rect
            key={day.start}
            className={colors.passed}
            x={(index + 0.1) * width}
            width={width * 0.8}
            y={100 - share}
            height={share}
          />
        )
      })}
    </Plot>
  )
}

function textOrUnknown(value: number | null, format: (value: number) => string): string {
  return value === null ? 'unknown' : format(value)
}
