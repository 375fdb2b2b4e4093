import { Badge, type MantineSize } from '@mantine/core'

const COLORS: Record<string, string> = { critical: 'red', high: 'orange', medium: 'blue', low: 'gray' }

/** The severity of an incident; nothing without one. */
export function SeverityBadge({ severity, size = 'md' }: { severity: string | null; size?: MantineSize }) {
  if (severity === null) return null
  return (
    <Badge color={COLORS[severity] ?? 'gray'} variant="light" size={size} style={{ flexShrink: 0 }}>
      {severity}
    </Badge>
  )
}
