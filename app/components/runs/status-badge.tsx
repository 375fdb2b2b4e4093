import { Badge, type MantineSize } from '@mantine/core'
import { statusLabel } from '#server/schemas/status/status-text.ts'

const COLORS: Record<string, string> = {
  success: 'teal',
  failure: 'red',
  timeout: 'orange',
  queued: 'blue',
  running: 'blue',
}

/** The status of a run, or its state until it is done. Null means that there are no runs yet. */
export function StatusBadge({ status, size = 'md' }: { status: string | null | undefined; size?: MantineSize }) {
  return (
    <Badge
      color={(status && COLORS[status]) || 'gray'}
      variant={status ? 'light' : 'outline'}
      size={size}
      data-status={status ?? 'none'}
      miw="max-content"
    >
      {status ? statusLabel(status) : 'No runs yet'}
    </Badge>
  )
}
