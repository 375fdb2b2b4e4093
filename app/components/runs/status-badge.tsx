import { Badge, type MantineSize } from '@mantine/core'

const STATUS_STYLES: Record<string, { color: string; label: string }> = {
  success: { color: 'teal', label: 'Success' },
  failure: { color: 'red', label: 'Failure' },
  timeout: { color: 'orange', label: 'Timeout' },
  skipped: { color: 'gray', label: 'Skipped' },
}

/** How a run ended. Null is a service that has never run; a value this page does not know is shown as it is. */
export function StatusBadge({ status, size = 'md' }: { status: string | null | undefined; size?: MantineSize }) {
  const look = status
    ? (STATUS_STYLES[status] ?? { color: 'gray', label: status })
    : { color: 'gray', label: 'No runs yet' }
  return (
    <Badge color={look.color} variant={status ? 'light' : 'outline'} size={size} data-status={status ?? 'none'}>
      {look.label}
    </Badge>
  )
}
