import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ServiceMetrics } from '#server/schemas/metrics.ts'
import { countsText, type StateCounts } from '#server/schemas/status/states.ts'
import { ongoingText } from '#server/schemas/status/status-text.ts'
import { capitalized } from '../../client/problem.ts'
import { millisecondsText, percentText, responseTimeText } from '../numbers.ts'
import styles from './metrics-strip.module.css'

/**
 * Counters and percentiles of a service, project or workspace. Nothing while there is no data. `counts` are the states of
 * the services in a project or workspace: its latest run says nothing about the others. `isUnknown`: the service's state.
 */
export function MetricsStrip(props: {
  metrics: ServiceMetrics | null | undefined
  counts?: StateCounts | undefined
  isUnknown?: boolean
}) {
  const { metrics, counts, isUnknown = false } = props
  if (!metrics) return null
  const { counters, percentiles, state } = metrics
  return (
    <div className={styles.strip}>
      <Metric label="Passed" hint="Of all runs">
        {percentText(counters.probesSuccess, counters.probesTotal)}
      </Metric>
      <Metric label="Runs" hint="In total">
        {counters.probesTotal.toLocaleString('en')}
      </Metric>
      <Metric label="Failed" hint="Including timeouts">
        {(counters.probesFailure + counters.probesTimeout).toLocaleString('en')}
      </Metric>
      <Metric label="p50" hint="Last 24 hours">
        {millisecondsText(percentiles.p50)}
      </Metric>
      <Metric label="p95" hint="Last 24 hours">
        {millisecondsText(percentiles.p95)}
      </Metric>
      {counts ? (
        <Metric label="Services" hint="Worst state">
          {countsText(counts)}
        </Metric>
      ) : (
        <Metric label="Last response time" hint={isUnknown ? 'Latest run' : streakText(state)}>
          {responseTimeText(state.lastResponseMs)}
        </Metric>
      )}
    </div>
  )
}

function Metric({ label, hint, children }: { label: string; hint: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Group gap={4} align="baseline">
        <Text fz="xl" fw={600} className="numbers">
          {children}
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
    </div>
  )
}

/** Returns for example `Passing for 122 runs`. */
function streakText({ lastStatus, lastConsecutive }: ServiceMetrics['state']): string {
  if (!lastStatus || lastConsecutive < 2) return 'Latest run'
  return `${capitalized(ongoingText(lastStatus))} for ${lastConsecutive.toLocaleString('en')} runs`
}
