'use client'

import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { mutation } from '../../../../client/api.ts'
import { ProblemAlert } from '../../../../components/problem-alert.tsx'
import { ToggleOutcome } from '../../../../components/toggle-outcome.tsx'

export function BulkToggleDialog(props: { ids: string[]; isActive: boolean; onClose: () => void; onDone: () => void }) {
  const toggle = useMutation(mutation('services.bulk.toggle'))
  const word = props.isActive ? 'on' : 'off'
  return (
    <Modal opened onClose={toggle.data ? props.onDone : props.onClose} title={`Switch ${word}`} centered>
      <Stack>
        {toggle.data ? (
          <ToggleOutcome result={toggle.data} done={`switched ${word}`} />
        ) : (
          <Text size="sm">
            {props.ids.length === 1 ? 'The chosen service is' : `The ${props.ids.length} chosen services are`} switched{' '}
            {word}, in one step.
          </Text>
        )}
        <ProblemAlert error={toggle.error} />
        <Group justify="flex-end">
          {toggle.data ? (
            <Button onClick={props.onDone}>Done</Button>
          ) : (
            <>
              <Button variant="default" onClick={props.onClose}>
                Cancel
              </Button>
              <Button
                data-autofocus
                loading={toggle.isPending}
                onClick={() => toggle.mutate({ ids: props.ids, isActive: props.isActive })}
              >
                Switch them {word}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
