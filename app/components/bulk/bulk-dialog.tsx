'use client'

import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { BulkResult } from '#server/schemas/bulk.ts'
import { BulkOutcome } from '../switches/toggle-outcome.tsx'

/** A form for selected services, and then what it did to each of them. */
export function BulkDialog(props: {
  title: string
  /** Null until the form was sent. */
  result: BulkResult | null
  /** What happened to a changed service, such as `moved`. */
  done: string
  /** Called when the dialog is closed without a change. */
  onClose: () => void
  onDone: () => void
  children: ReactNode
}) {
  return (
    <Modal opened onClose={props.result ? props.onDone : props.onClose} title={props.title} centered>
      {props.result ? (
        <Stack>
          <BulkOutcome result={props.result} done={props.done} />
          <Group justify="flex-end">
            <Button onClick={props.onDone}>Done</Button>
          </Group>
        </Stack>
      ) : (
        props.children
      )}
    </Modal>
  )
}
