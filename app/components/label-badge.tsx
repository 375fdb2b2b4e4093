import { Badge, type BadgeProps } from '@mantine/core'

/** The label of a service or a webhook, if it has one. */
export function LabelBadge({ label, size }: { label: string | null } & Pick<BadgeProps, 'size'>) {
  return label ? (
    <Badge size={size} variant="default" maw="100%" style={{ flexShrink: 0 }}>
      {label}
    </Badge>
  ) : null
}
