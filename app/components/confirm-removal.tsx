'use client'

import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ProblemAlert } from './problem-alert.tsx'

/** Asks once more before something goes for good: by its name typed out where `typed` says so. */
export function ConfirmRemoval(props: {
  opened: boolean
  onClose: () => void
  title: string
  warning: ReactNode
  /** What the button says, such as `Delete workspace`. */
  submitLabel: string
  /** The text that must be typed; none for what is easily made again. */
  confirmationText?: string
  isPending: boolean
  error: unknown
  onConfirm: () => void
}) {
  const [text, setText] = useState('')
  const isReady = props.confirmationText === undefined || text.trim() === props.confirmationText
  const close = () => {
    setText('')
    props.onClose()
  }
  return (
    <Modal opened={props.opened} onClose={close} title={props.title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) props.onConfirm()
        }}
      >
        <Stack>
          <Text size="sm">{props.warning}</Text>
          {props.confirmationText !== undefined && (
            <TextInput
              label={
                <>
                  Type <strong>{props.confirmationText}</strong> to confirm
                </>
              }
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <ProblemAlert error={props.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={!isReady} loading={props.isPending}>
              {props.submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
