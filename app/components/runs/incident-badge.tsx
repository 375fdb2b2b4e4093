import { Badge, type MantineSize } from '@mantine/core'

/** The state of an incident, and whether its service flaps. */
export function IncidentBadge(props: { state: string; flappingSince: string | null; size?: MantineSize }) {
  const { state, flappingSince, size = 'md' } = props
  const isOpen = state === 'open'
  return (
    <>
      <Badge color={isOpen ? 'red' : 'gray'} variant="light" size={size} data-state={state}>
        {isOpen ? 'Open' : 'Closed'}
      </Badge>
      {flappingSince !== null && (
        <Badge color={isOpen ? 'orange' : 'gray'} variant="light" size={size} miw="max-content">
          {isOpen ? 'Flapping' : 'Flapped'}
        </Badge>
      )}
    </>
  )
}
