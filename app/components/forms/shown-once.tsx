'use client'

import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyText } from '../copy-text.tsx'

/** A dialog with the form that makes a secret, and then with the secret, which is shown only here. */
export function ShownOnce(props: {
  /** Null until it is made. */
  secret: string | null
  /** Such as `key`. */
  what: string
  label: string
  onClose: () => void
  children: ReactNode
}) {
  const { secret, what, label, onClose } = props
  return (
    <Modal
      opened
      onClose={onClose}
      title={secret ? `Your new ${what}` : `New ${what}`}
      centered
      closeOnClickOutside={secret === null}
      closeOnEscape={secret === null}
    >
      {secret ? (
        <Stack>
          <Alert variant="light" color="orange">
            Copy the {what} now. It is not stored, and it cannot be shown again.
          </Alert>
          <CopyText text={secret} label={label} />
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        props.children
      )}
    </Modal>
  )
}
