'use client'

import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { ResultSummary } from '#server/schemas/results/results.ts'
import { statusText } from '#server/schemas/status/status-text.ts'
import { query } from '../../../../client/api.ts'
import { useDateTimeText } from '../../../../components/instant.tsx'
import { Link } from '../../../../components/layout/link.tsx'
import { responseTimeText } from '../../../../components/numbers.ts'
import styles from './recent-runs.module.css'
import { RECENT_RUNS } from './recent-runs-count.ts'

/**
 * The latest runs as bars, oldest on the left, each a link to its result. The height of a passing run is its response
 * time, up to two thirds; failures are the tallest bars. One tab stop; the arrow keys move between the bars.
 */
export function RecentRuns({ serviceId }: { serviceId: string }) {
  const runs = useQuery(query('results.search', { id: serviceId, pageSize: RECENT_RUNS }))
  const items = runs.data?.items.toReversed() ?? []
  const failed = items.filter(isFailed).length
  if (!runs.data) return null
  return (
    <Stack gap={6} mt="auto">
      <Text size="xs" c="dimmed">
        {items.length === 0
          ? 'No runs yet'
          : `Latest ${items.length === 1 ? 'run' : `${items.length} runs`}, ${failed === 0 ? 'none' : failed} failed`}
      </Text>
      <Bars serviceId={serviceId} runs={items} />
    </Stack>
  )
}

function Bars({ serviceId, runs }: { serviceId: string; runs: ResultSummary[] }) {
  const dateTimeText = useDateTimeText()
  const [current, setCurrent] = useState<string | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const last = runs.length - 1
  const found = runs.findIndex((run) => run.id === current)
  const stop = found < 0 ? last : found
  const longest = Math.max(1, ...runs.map((run) => run.totalResponseMs))
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: last }
    const next = runs[steps[event.key] ?? -1]
    if (!next) return
    event.preventDefault()
    setCurrent(next.id)
    list.current?.querySelectorAll('a')[runs.indexOf(next)]?.focus()
  }
  return (
    <ol ref={list} className={styles.bars} aria-label="Latest runs, oldest first" onKeyDown={onKeyDown}>
      {runs.map((run, index) => {
        const text = `${dateTimeText(run.startedAt)}: ${statusText(run.status)}, ${responseTimeText(run.totalResponseMs)}`
        const share = isFailed(run) ? 1 : 0.08 + (run.totalResponseMs / longest) * 0.58
        return (
          <li key={run.id} className={styles.bar} data-status={run.status}>
            <Link
              href={`/services/${serviceId}/results/${run.id}`}
              className={styles.link}
              title={text}
              aria-label={text}
              tabIndex={index === stop ? 0 : -1}
              onFocus={() => setCurrent(run.id)}
            >
              <span className={styles.fill} style={{ height: `${share * 100}%` }} />
            </Link>
          </li>
        )
      })}
    </ol>
  )
}

function isFailed({ status }: ResultSummary): boolean {
  return status === 'failure' || status === 'timeout'
}
