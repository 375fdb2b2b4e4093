'use client'

import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { mutation } from '../client/api.ts'
import { ProblemAlert } from './problem-alert.tsx'
import { ToggleOutcome } from './toggle-outcome.tsx'

/** Switches every service beneath a workspace or project, then tells what became of them. */
export function SwitchAllDialog(props: {
  path: 'workspaces.toggleServices' | 'projects.toggleServices'
  id: string
  isActive: boolean
  where: string
  onClose: () => void
}) {
  const toggle = useMutation(mutation(props.path))
  const word = props.isActive ? 'on' : 'off'
  return (
    <Modal opened onClose={props.onClose} title={`Switch all services ${word}`} centered>
      <Stack>
        {toggle.data ? (
          <ToggleOutcome result={toggle.data} done={`switched ${word}`} />
        ) : (
          <Text size="sm">
            This switches every service in {props.where} {word}, in one step.
          </Text>
        )}
        <ProblemAlert error={toggle.error} />
        <Group justify="flex-end">
          {toggle.data ? (
            <Button onClick={props.onClose}>Done</Button>
          ) : (
            <>
              <Button variant="default" onClick={props.onClose}>
                Cancel
              </Button>
              <Button
                data-autofocus
                loading={toggle.isPending}
                onClick={() => toggle.mutate({ id: props.id, isActive: props.isActive })}
              >
                Switch all {word}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
