'use client'

import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { BoardService } from '#server/schemas/status/board.ts'
import type { ServiceState as State } from '#server/schemas/status/states.ts'
import { statusLabel } from '#server/schemas/status/status-text.ts'
import { type Output, query } from '../../../../client/api.ts'
import { useDateTimeText } from '../../../../components/instant.tsx'
import { STATE_LOOKS } from '../../../../components/status/state-looks.ts'
import { useSinceText } from '../../../../components/status/use-since-text.ts'
import { FailureDetails } from './failure-details.tsx'
import { RecentRuns } from './recent-runs.tsx'
import styles from './state.module.css'
import { StateLinks } from './state-links.tsx'

type Service = Output<'services.get'>
type Standing = Output<'statistics.standing'>

/** What state a service is in, since when, why, who takes care of it, and its latest runs. */
export function ServiceState({ service }: { service: Service }) {
  const status = useQuery(query('status.service', { id: service.id }))
  const standing = useQuery(query('statistics.standing', { id: service.id }))
  const failure = failureOf(service, status.data?.state)
  // The failure that the links lead to. A paused service has no cause of its own.
  const failing = status.data?.state === 'failing' ? failure?.summary : undefined
  const cause = failing ?? status.data?.cause ?? (failure && `The latest run failed: ${failure.summary}`)
  return (
    <Paper
      component="section"
      withBorder
      p="md"
      className={styles.state}
      data-state={status.data?.state}
      aria-label="State"
    >
      <Stack gap="xs" mih={116}>
        {status.data && <Headline status={status.data} standing={standing.data} />}
        {cause && (
          <Text fw={600} className={styles.cause}>
            {cause}
          </Text>
        )}
        {failure && <FailureDetails failure={failure} />}
        <StateLinks
          serviceId={service.id}
          failedResultId={failure?.resultId}
          hasPassed={Boolean(standing.data?.lastPassingResultId)}
          incident={status.data?.incident}
        />
        <RecentRuns serviceId={service.id} />
      </Stack>
    </Paper>
  )
}

/** The latest failed run, while it says something about the state. */
function failureOf({ lastFailure, lastStatus }: Service, state: State | undefined): Service['lastFailure'] {
  if (state === 'unknown') return undefined
  return state === 'failing' || lastStatus === 'failure' || lastStatus === 'timeout' ? lastFailure : undefined
}

/** Returns for example `Failing for 12 min, since version 17, by Ana`, or `Unknown since 12:01`. */
function Headline({ status, standing }: { status: BoardService; standing: Standing | undefined }) {
  const sinceText = useSinceText()
  const dateTimeText = useDateTimeText()
  const { state, since, lastRunAt } = status
  const { icon: Icon, color } = STATE_LOOKS[state]
  const cause = state === 'failing' ? standing?.cause : null
  return (
    <Group justify="space-between" gap="4px 16px">
      <Title order={2} fz="lg">
        <Text span inherit c={`var(--mantine-color-${color}-light-color)`}>
          <Icon size={18} aria-hidden className={styles.icon} /> {statusLabel(state)}
        </Text>
        {since && <span title={dateTimeText(since)}>{` ${sinceText(status)}`}</span>}
        {cause && `, since version ${cause.version}${cause.savedBy ? `, by ${cause.savedBy}` : ''}`}
      </Title>
      {lastRunAt && (
        <Text size="sm" c="dimmed">
          Last run {dateTimeText(lastRunAt)}
        </Text>
      )}
    </Group>
  )
}
