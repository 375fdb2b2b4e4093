'use client'

import { Modal, Text } from '@mantine/core'
import { CodeBlock } from '../code-block.tsx'
import { ProblemAlert } from '../problem-alert.tsx'

/** The dialog of `RevealButton`. The value is undefined until it is loaded. */
export function RevealDialog(props: { name: string; value: string | undefined; error: unknown; onClose: () => void }) {
  return (
    <Modal opened onClose={props.onClose} title={props.name} centered>
      <ProblemAlert error={props.error} />
      {props.value !== undefined && <CodeBlock text={props.value} label={`Value of ${props.name}`} wrap />}
      <Text size="xs" c="dimmed" mt="sm">
        The audit log records that you viewed this value.
      </Text>
    </Modal>
  )
}
