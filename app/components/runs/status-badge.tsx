import { Badge, type MantineSize } from '@mantine/core'

const STATUS_STYLES: Record<string, { color: string; label: string }> = {
  success: { color: 'teal', label: 'Success' },
  failure: { color: 'red', label: 'Failure' },
  timeout: { color: 'orange', label: 'Timeout' },
  skipped: { color: 'gray', label: 'Skipped' },
  incomplete: { color: 'gray', label: 'Incomplete' },
  cancelled: { color: 'gray', label: 'Cancelled' },
  queued: { color: 'blue', label: 'Queued' },
  running: { color: 'blue', label: 'Running' },
}

/** The status of a run, or its state until it is done. Null means that there are no runs yet. Unknown statuses are shown unchanged. */
export function StatusBadge({ status, size = 'md' }: { status: string | null | undefined; size?: MantineSize }) {
  const style = status
    ? (STATUS_STYLES[status] ?? { color: 'gray', label: status })
    : { color: 'gray', label: 'No runs yet' }
  return (
    <Badge
      color={style.color}
      variant={status ? 'light' : 'outline'}
      size={size}
      data-status={status ?? 'none'}
      miw="max-content"
    >
      {style.label}
    </Badge>
  )
}
