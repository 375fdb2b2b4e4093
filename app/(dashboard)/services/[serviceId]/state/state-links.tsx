import { Anchor, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { BoardService } from '#server/schemas/status/board.ts'
import { useResourceAccess } from '../../../../client/use-resource-access.ts'
import { Acknowledgement } from '../../../../components/acknowledgement.tsx'
import { Link } from '../../../../components/layout/link.tsx'

/** Where to look next: the run that failed, what differs from the last one that passed, and the open incident. */
export function StateLinks(props: {
  serviceId: string
  failedResultId: string | undefined
  /** Whether a run passed before. */
  hasPassed: boolean
  incident: BoardService['incident'] | undefined
}) {
  const { serviceId, failedResultId, hasPassed, incident } = props
  const { mayWrite } = useResourceAccess('service', serviceId)
  if (!failedResultId && !incident) return null
  const results = `/services/${serviceId}/results`
  return (
    <Group gap="4px 20px">
      {failedResultId && <StateLink href={`${results}/${failedResultId}`}>See the result</StateLink>}
      {failedResultId && hasPassed && (
        <StateLink href={`${results}/${failedResultId}?compare=passing`}>Compare with the last passing run</StateLink>
      )}
      {incident && (
        <>
          <StateLink href={`/incidents/${incident.id}`}>See the incident</StateLink>
          <Text size="sm" c="dimmed">
            {incident.acknowledgedAt ? `Acknowledged by ${incident.acknowledgedBy}` : 'Not acknowledged'}
          </Text>
          {mayWrite && <Acknowledgement incident={incident} size="compact-sm" />}
        </>
      )}
    </Group>
  )
}

function StateLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor component={Link} href={href} size="sm" underline="always">
      {children}
    </Anchor>
  )
}
