import { Button, Group, Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { mutation, type Output } from '../../client/api.ts'
import { notify } from '../../client/notify.ts'
import { problemOf } from '../../client/problem.ts'
import { Check } from '../../components/icons.ts'

/** Acknowledges the selected incidents, and says what happened to them. */
export function AcknowledgeBar({ ids, onDone }: { ids: string[]; onDone: () => void }) {
  const acknowledge = useMutation({
    ...mutation('incidents.acknowledgeMany'),
    onSuccess: (result) => {
      notify(outcomeOf(result))
      onDone()
    },
    onError: (error) => notify({ color: 'red', message: messageOf(error) }),
  })
  return (
    <Paper withBorder px="md" py="xs" role="toolbar" aria-label="Selected incidents">
      <Group gap="xs">
        <Text size="sm" fw={600} mr="sm">
          {ids.length} selected
        </Text>
        <Button
          size="xs"
          leftSection={<Check size={14} aria-hidden />}
          loading={acknowledge.isPending}
          onClick={() => acknowledge.mutate({ ids })}
        >
          Acknowledge
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onDone}>
          Clear selection
        </Button>
      </Group>
    </Paper>
  )
}

const REFUSED = 'You may not change the services of these incidents, or they were deleted.'

function messageOf(error: Error): string {
  const problem = problemOf(error)
  return problem.code === 'not_found' ? REFUSED : problem.message
}

function outcomeOf({ incidents }: Output<'incidents.acknowledgeMany'>) {
  const count = (outcome: string) => incidents.filter((incident) => incident.outcome === outcome).length
  const [done, before, missing] = [count('acknowledged'), count('unchanged'), count('not_found')]
  const sentences = [
    `${done} of ${incidents.length} incidents acknowledged.`,
    ...(before > 0 ? [`Acknowledged before: ${before}.`] : []),
    ...(missing > 0 ? [`Not yours to change, or deleted: ${missing}.`] : []),
  ]
  return { color: missing > 0 ? 'orange' : 'teal', message: sentences.join(' ') }
}
