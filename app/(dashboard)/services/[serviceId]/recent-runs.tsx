'use client'

import { Paper, Stack, Text } from '@mantine/core'
import type { ServiceSnapshot } from '#server/schemas/services.ts'
import { dateTimeText } from '../../../components/instant.tsx'
import { millisecondsText } from '../../../components/numbers.ts'
import styles from './recent-runs.module.css'

/** The latest runs as bars, oldest on the left: how long their calls took, and in which colour they ended. */
export function RecentRuns({ runs }: { runs: ServiceSnapshot['recentProbes'] }) {
  if (runs.length === 0) return null
  const longest = Math.max(1, ...runs.map((run) => run.avgResponseMs ?? 0))
  const failed = runs.filter((run) => run.status === 'failure' || run.status === 'timeout').length
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {runs.length === 1 ? 'One run so far' : `Latest ${runs.length} runs`},{' '}
          {failed === 0 ? 'none failed' : `${failed} failed`}
        </Text>
        <ol className={styles.bars} aria-label="Latest runs, oldest first">
          {runs.toReversed().map((run, index) => {
            const text = `${dateTimeText(run.timestamp * 1_000)}: ${run.status}, ${millisecondsText(run.avgResponseMs)} per call`
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: two runs may share a second, and none has an id here
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
