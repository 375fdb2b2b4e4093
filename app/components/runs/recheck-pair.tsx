'use client'

import { Anchor, Group, Paper, Stack, Text } from '@mantine/core'
import type { Result } from '#server/schemas/results/results.ts'
import { useDateTimeText } from '../instant.tsx'
import { Link } from '../layout/link.tsx'
import { StatusBadge } from './status-badge.tsx'
import { useRecheck } from './use-recheck.ts'

/** The failed run and its recheck, which together are one slot of the schedule. Nothing for other results. */
export function RecheckPair({ run }: { run: Result }) {
  const { other } = useRecheck(run)
  if (!other) return null
  const [first, recheck] = run.recheckOf === null ? [run, other] : [other, run]
  return (
    <Paper withBorder p="md" component="section" aria-label="Recheck">
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          Rechecked
        </Text>
        <Text size="sm" c="dimmed">
          A failed scheduled run is repeated before it is believed.{' '}
          {recheck.status === 'skipped'
            ? 'The recheck never ran, so the first run counts.'
            : 'The recheck counts for both.'}
        </Text>
        <Part label="First run" of={first} isShown={first.id === run.id} />
        <Part label="Recheck" of={recheck} isShown={recheck.id === run.id} />
      </Stack>
    </Paper>
  )
}

function Part({ label, of, isShown }: { label: string; of: Result; isShown: boolean }) {
  const dateTimeText = useDateTimeText()
  return (
    <Group gap="xs">
      <Text size="sm" w={80}>
        {label}
      </Text>
      <StatusBadge status={of.status} size="sm" />
      <Text size="sm">on {of.agentSlug}</Text>
      {isShown ? (
        <Text size="sm" c="dimmed">
          {dateTimeText(of.startedAt)}, this result
        </Text>
      ) : (
        <Anchor component={Link} href={`/services/${of.serviceId}/results/${of.id}`} size="sm">
          {dateTimeText(of.startedAt)}
        </Anchor>
      )}
    </Group>
  )
}
