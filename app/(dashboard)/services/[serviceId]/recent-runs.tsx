'use client'

import { Paper, Stack, Text } from '@mantine/core'
import type { ServiceSnapshot } from '#server/schemas/services.ts'
import { useDateTimeText } from '../../../components/instant.tsx'
import { responseTimeText } from '../../../components/numbers.ts'
import styles from './recent-runs.module.css'

/** The latest runs as bars, oldest on the left. Height is the mean response time, colour the status. */
export function RecentRuns({ runs }: { runs: ServiceSnapshot['recentProbes'] }) {
  const dateTimeText = useDateTimeText()
  if (runs.length === 0) return null
  const longest = Math.max(1, ...runs.map((run) => run.avgResponseMs ?? 0))
  const failed = runs.filter((run) => run.status === 'failure' || run.status === 'timeout').length
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {runs.length === 1 ? '1 run so far' : `Latest ${runs.length} runs`},{' '}
          {failed === 0 ? 'none failed' : `${failed} failed`}
        </Text>
        <ol className={styles.bars} aria-label="Latest runs, oldest first">
          {runs.toReversed().map((run, index) => {
            const text = `${dateTimeText(run.timestamp * 1_000)}: ${run.status}, ${responseTimeText(run.avgResponseMs)} per call`
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: runs have no id here, and two may start in the same second
              <li key={index} className={styles.bar} data-status={run.status} title={text}>
                <span
                  className={styles.fill}
                  style={{ height: `${Math.max(8, ((run.avgResponseMs ?? 0) / longest) * 100)}%` }}
                />
                <span className={styles.text}>{text}</span>
              </li>
            )
          })}
        </ol>
      </Stack>
    </Paper>
  )
}
