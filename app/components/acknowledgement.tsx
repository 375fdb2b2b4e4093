import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Incident } from '#server/schemas/alerts/incidents.ts'
import { mutation } from '../client/api.ts'
import { notify } from '../client/notify.ts'
import { problemOf } from '../client/problem.ts'
import { Check } from './icons.ts'

/** Acknowledges an incident, or takes the acknowledgement back. */
export function Acknowledgement(props: {
  incident: Pick<Incident, 'id' | 'acknowledgedAt'>
  size?: 'sm' | 'compact-sm'
}) {
  const { incident, size = 'sm' } = props
  const { id, acknowledgedAt } = incident
  const onError = (error: Error) => notify({ color: 'red', message: problemOf(error).message })
  const acknowledge = useMutation({ ...mutation('incidents.acknowledge'), onError })
  const unacknowledge = useMutation({ ...mutation('incidents.unacknowledge'), onError })
  if (acknowledgedAt) {
    return (
      <Button
        size={size}
        variant="default"
        loading={unacknowledge.isPending}
        onClick={() => unacknowledge.mutate({ id })}
      >
        Unacknowledge
      </Button>
    )
  }
  return (
    <Button
      size={size}
      leftSection={<Check size={16} aria-hidden />}
      loading={acknowledge.isPending}
      onClick={() => acknowledge.mutate({ id })}
    >
      Acknowledge
    </Button>
  )
}
