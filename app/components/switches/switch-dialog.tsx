'use client'

import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Input, mutation } from '../../client/api.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import { ToggleOutcome } from './toggle-outcome.tsx'

type TogglePath = 'workspaces.toggleServices' | 'projects.toggleServices'

/** Switches many services on or off, then shows the outcome. */
export function SwitchDialog<Path extends TogglePath>(props: {
  path: Path
  input: Input<Path>
  title: string
  /** Explains the change before the member confirms it. */
  children: ReactNode
  submitLabel: string
  /** Called when the dialog is closed without a change. */
  onClose: () => void
  onDone: () => void
}) {
  const toggle = useMutation(mutation<TogglePath>(props.path))
  const done = props.input.isActive ? 'switched on' : 'switched off'
  return (
    <Modal opened onClose={toggle.data ? props.onDone : props.onClose} title={props.title} centered>
      <Stack>
        {!toggle.data ? <Text size="sm">{props.children}</Text> : <ToggleOutcome result={toggle.data} done={done} />}
        <ProblemAlert error={toggle.error} />
        <Group justify="flex-end">
          {toggle.data ? (
            <Button onClick={props.onDone}>Done</Button>
          ) : (
            <>
              <Button variant="default" onClick={props.onClose}>
                Cancel
              </Button>
              <Button data-autofocus loading={toggle.isPending} onClick={() => toggle.mutate(props.input)}>
                {props.submitLabel}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
