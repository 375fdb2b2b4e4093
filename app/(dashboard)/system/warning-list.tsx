import { Badge, Group, Stack, Text } from '@mantine/core'
import type { SystemWarning } from '#server/schemas/system.ts'
import { useNow } from '../../client/now.tsx'
import { Instant } from '../../components/instant.tsx'
import { NoEntries } from '../../components/lists/no-entries.tsx'

/** What each code means, and what the operator can do. */
const TEXTS: Record<string, { title: string; advice: string; overAfterMs?: number }> = {
  agent_clock: { title: 'The clock of a remote agent is wrong', advice: 'Set the clock of its machine.' },
  backup_failed: {
    title: 'A backup failed',
    advice: 'Remove the cause, such as a full disk, and run npm run backup again.',
  },
  body_store_failed: { title: 'Response bodies could not be stored', advice: 'Check BODY_STORE_URL and the store.' },
  disk_nearly_full: { title: 'A disk is nearly full', advice: 'Free disk space, or shorten the retention.' },
  few_connections: {
    title: 'The database allows too few connections',
    advice: 'Raise max_connections, or lower DATABASE_POOL_MAX.',
  },
  key_missing: {
    title: 'A secret key is missing',
    advice: 'Add it to SECRET_KEYS again, or enter the values again.',
    // Keys are checked once a day.
    overAfterMs: 25 * 3_600_000,
  },
  mail_failed: { title: 'The mail server rejected a mail', advice: 'Check SMTP_URL and the mail server.' },
  partition_missing: { title: 'A result partition is missing', advice: 'Check the worker logs.' },
  process_clock: {
    title: "The clock of a machine differs from the database's",
    advice: "Set both clocks. Soundline uses the database's.",
  },
  queue_stalled: {
    title: 'A worker lost its job queue',
    advice: 'Its process ended. Check that it was started again.',
  },
  rollups_late: { title: 'Statistics are behind', advice: 'Check the worker logs.' },
  upkeep_failed: { title: 'A maintenance task failed', advice: 'Check the worker logs.' },
}

/** A warning that did not recur for this long is shown as over. */
const OVER_AFTER_MS = 3_600_000

export function WarningList({ warnings }: { warnings: SystemWarning[] }) {
  const now = useNow()
  if (warnings.length === 0) return <NoEntries>No warnings in the last 30 days.</NoEntries>
  return (
    <Stack gap="md">
      {warnings.map((warning) => {
        const {
          title,
          advice,
          overAfterMs = OVER_AFTER_MS,
        } = TEXTS[warning.code] ?? { title: warning.code, advice: '' }
        const isOver = now - Date.parse(warning.lastAt) > overAfterMs
        return (
          <Stack key={`${warning.code} ${warning.subject}`} gap={2}>
            <Group gap="xs">
              <Badge variant="light" color={isOver ? 'gray' : 'red'}>
                {isOver ? 'Earlier' : 'Now'}
              </Badge>
              <Text fw={600}>{title}</Text>
            </Group>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {[warning.subject, warning.detail].filter(Boolean).join(': ')}. {advice}
            </Text>
            <Text size="sm" c="dimmed">
              First <Instant at={warning.firstAt} />, last <Instant at={warning.lastAt} />,{' '}
              {warning.count.toLocaleString('en')} {warning.count === 1 ? 'time' : 'times'}
            </Text>
          </Stack>
        )
      })}
    </Stack>
  )
}
