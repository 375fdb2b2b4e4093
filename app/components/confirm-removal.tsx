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
  verb: string
  /** The text that must be typed; none for what is easily made again. */
  typed?: string
  isPending: boolean
  error: unknown
  onConfirm: () => void
}) {
  const [text, setText] = useState('')
  const isReady = props.typed === undefined || text.trim() === props.typed
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
          {props.typed !== undefined && (
            <TextInput
              label={
                <>
                  Type <strong>{props.typed}</strong> to confirm
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
              {props.verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
