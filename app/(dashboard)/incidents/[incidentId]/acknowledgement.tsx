import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Incident } from '#server/schemas/alerts/incidents.ts'
import { mutation } from '../../../client/api.ts'
import { notify } from '../../../client/notify.ts'
import { problemOf } from '../../../client/problem.ts'
import { Check } from '../../../components/icons.ts'

/** Acknowledges an incident, or takes the acknowledgement back. */
export function Acknowledgement({ incident: { id, acknowledgedAt } }: { incident: Incident }) {
  const onError = (error: Error) => notify({ color: 'red', message: problemOf(error).message })
  const acknowledge = useMutation({ ...mutation('incidents.acknowledge'), onError })
  const unacknowledge = useMutation({ ...mutation('incidents.unacknowledge'), onError })
  if (acknowledgedAt) {
    return (
      <Button variant="default" loading={unacknowledge.isPending} onClick={() => unacknowledge.mutate({ id })}>
        Unacknowledge
      </Button>
    )
  }
  return (
    <Button
      leftSection={<Check size={16} aria-hidden />}
      loading={acknowledge.isPending}
      onClick={() => acknowledge.mutate({ id })}
    >
      Acknowledge
    </Button>
  )
}
