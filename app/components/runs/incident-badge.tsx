import { Badge, type MantineSize } from '@mantine/core'

/** The state of an incident. */
export function IncidentBadge({ state, size = 'md' }: { state: string; size?: MantineSize }) {
  return (
    <Badge color={state === 'open' ? 'red' : 'gray'} variant="light" size={size} data-state={state}>
      {state === 'open' ? 'Open' : 'Closed'}
    </Badge>
  )
}
