'use client'

import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BulkResult } from '#server/schemas/bulk.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import { BulkOutcome } from '../switches/toggle-outcome.tsx'
import { BulkSummary } from './bulk-summary.tsx'
import type { Plan } from './plan.ts'
import type { Undo } from './undo.ts'
import { UndoButton } from './undo-button.tsx'

/** What a bulk change did, and how it is taken back. */
export type Done = { result: BulkResult; undo: Undo | null }

/** What every bulk dialog is given. `onClose` ends it without a change. */
export type BulkDialogProps<Service> = { services: Service[]; onClose: () => void; onDone: () => void }

/** A change of selected services: its fields, a summary, and then what it did to each of them, with Undo. */
export function BulkDialog(props: {
  title: string
  /** Null until the fields say what to change. */
  plan: Plan | null
  submitLabel: string
  /** What happened to a changed service, such as `moved`. */
  done: string
  send: () => Promise<Done>
  color?: ButtonProps['color']
  /** False keeps it from being sent. */
  isReady?: boolean
  onClose: () => void
  onDone: () => void
  children?: ReactNode
}) {
  const { plan, isReady = true } = props
  const change = useMutation({ mutationFn: props.send })
  const { data } = change
  return (
    <Modal opened onClose={data ? props.onDone : props.onClose} title={props.title} centered>
      {data ? (
        <Stack>
          <BulkOutcome result={data.result} done={props.done} />
          <Group justify="space-between">
            {data.undo ? <UndoButton undo={data.undo} /> : <span />}
            <Button onClick={props.onDone}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            change.mutate()
          }}
        >
          <Stack>
            <ProblemAlert error={change.error} />
            {props.children}
            {plan && <BulkSummary plan={plan} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={props.onClose}>
                Cancel
              </Button>
              <Button
                type="submit"
                color={props.color}
                data-autofocus={props.children ? undefined : true}
                disabled={!isReady || plan === null || plan.changes.length === 0}
                loading={change.isPending}
              >
                {props.submitLabel}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
