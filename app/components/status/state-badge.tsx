import { Badge, type MantineSize } from '@mantine/core'
import { countsText, type ServiceState, type StateCounts, worstState } from '#server/schemas/status/states.ts'
import { statusLabel } from '#server/schemas/status/status-text.ts'
import { STATE_LOOKS } from './state-looks.ts'

/** The state of a service, with other words if given. */
export function StateBadge(props: { state: ServiceState; size?: MantineSize; children?: string }) {
  const { state, size = 'md' } = props
  const { color, icon: Icon } = STATE_LOOKS[state]
  return (
    <Badge
      color={color}
      variant="light"
      size={size}
      tt="none"
      leftSection={<Icon size={13} aria-hidden />}
      data-state={state}
      miw="max-content"
    >
      {props.children ?? statusLabel(state)}
    </Badge>
  )
}

/** The worst state of the services in a workspace or project, such as `3 of 8 failing`. */
export function CountsBadge({ counts, size }: { counts: StateCounts; size?: MantineSize }) {
  return (
    <StateBadge state={worstState(counts) ?? 'pending'} {...(size && { size })}>
      {countsText(counts)}
    </StateBadge>
  )
}

/** The state of a service as an icon. `isDecoration`: the word stands beside it. */
export function StateIcon(props: { state: ServiceState; size?: number; isDecoration?: boolean }) {
  const { state, size = 16, isDecoration = false } = props
  const { color, icon: Icon } = STATE_LOOKS[state]
  const words = isDecoration ? {} : { role: 'img', 'aria-label': statusLabel(state) }
  return <Icon size={size} color={`var(--mantine-color-${color}-light-color)`} {...words} />
}
