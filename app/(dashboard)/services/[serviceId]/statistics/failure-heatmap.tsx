'use client'

import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Output, query } from '../../../../client/api.ts'
import { Section } from '../../../../components/layout/section.tsx'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import { percentText } from '../../../../components/numbers.ts'
import styles from './failure-heatmap.module.css'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

export function FailureHeatmap({ serviceId }: { serviceId: string }) {
  const heatmap = useQuery(query('statistics.failureHeatmap', { id: serviceId, days: 90 }))
  return (
    <Section title="When runs fail" intro="By weekday and hour in UTC, over the last 90 days.">
      <Loaded query={heatmap} rows={3}>
        {(data) =>
          data.totalFailedRuns === 0 ? (
            <Text size="sm" c="dimmed">
              {data.totalRuns === 0
                ? 'No runs in the last 90 days.'
                : `No failures in ${data.totalRuns.toLocaleString('en')} runs.`}
            </Text>
          ) : (
            <HeatmapGrid heatmap={data} />
          )
        }
      </Loaded>
    </Section>
  )
}

function HeatmapGrid({ heatmap }: { heatmap: Output<'statistics.failureHeatmap'> }) {
  const cells = new Map(heatmap.cells.map((cell) => [`${cell.weekday} ${cell.hour}`, cell]))
  return (
    <section
      className={styles.scroll}
      aria-label="Failed runs by weekday and hour"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
      tabIndex={0}
    >
      <table className={styles.grid}>
        <thead>
          <tr>
            <td />
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                {hour}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DAYS.map((day, index) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {HOURS.map((hour) => {
                const { runs, failedRuns } = cells.get(`${index + 1} ${hour}`) ?? { runs: 0, failedRuns: 0 }
                const share = runs === 0 ? 0 : failedRuns / runs
                return (
                  <td
                    key={hour}
                    title={`${day} ${hour}:00 UTC: ${failedRuns} of ${runs} runs failed (${percentText(failedRuns, runs)})`}
                    data-empty={runs === 0 || undefined}
                    style={
                      { '--share': `${Math.round(20 + share * 80) * Math.sign(failedRuns)}%` } as React.CSSProperties
                    }
                  >
                    {failedRuns > 0 ? failedRuns : ''}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
