'use client'

import { Anchor, Box, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { durationText } from '#server/schemas/duration-text.ts'
import type { ServiceState } from '#server/schemas/status/states.ts'
import { type Output, query } from '../../../client/api.ts'
import { useNow } from '../../../client/now.tsx'
import { useDateTimeText } from '../../../components/instant.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { STATE_LOOKS } from '../../../components/status/state-looks.ts'

/** The state of a service and since when, such as `Failing for 12 min, since version 17 by Ana`, and its cause. */
export function StateLine({ serviceId }: { serviceId: string }) {
  const status = useQuery(query('status.service', { id: serviceId }))
  const standing = useQuery(query('statistics.standing', { id: serviceId }))
  const dateTimeText = useDateTimeText()
  const now = useNow()
  const { state, since, cause, lastRunAt } = status.data ?? {
    state: 'pending',
    since: null,
    cause: null,
    lastRunAt: null,
  }
  const { label, icon: Icon, color } = STATE_LOOKS[state as ServiceState]
  const resultId = standing.data?.lastPassingResultId
  return (
    <Box mih={48}>
      {status.data && (
        <Text fw={650} fz="lg">
          <Text span inherit c={`var(--mantine-color-${color}-light-color)`}>
            <Icon size={18} aria-hidden style={{ verticalAlign: '-3px' }} /> {label}
          </Text>
          {since && (
            <span title={dateTimeText(since)}>{` for ${durationText(Math.max(0, now - Date.parse(since)))}`}</span>
          )}
          {state === 'failing' && standing.data?.cause && (
            <span>{`, since version ${standing.data.cause.version}${authorText(standing.data.cause)}`}</span>
          )}
        </Text>
      )}
      {cause && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {cause}
        </Text>
      )}
      <Group gap="md">
        {lastRunAt && (
          <Text size="sm" c="dimmed">
            Last run {dateTimeText(lastRunAt)}
          </Text>
        )}
        {state === 'failing' && resultId && (
          <Anchor component={Link} href={`/services/${serviceId}/results/${resultId}`} size="sm" underline="always">
            Last passing run
          </Anchor>
        )}
      </Group>
    </Box>
  )
}

function authorText({ savedBy }: NonNullable<Output<'statistics.standing'>['cause']>): string {
  return savedBy ? `, by ${savedBy}` : ''
}
