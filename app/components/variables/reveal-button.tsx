'use client'

import { ActionIcon, Modal, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import type { Variable } from '#server/schemas/variables.ts'
import { mutation } from '../../client/api.ts'
import { CodeBlock } from '../code-block.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import type { VariableOwner } from './scope.ts'

/** Shows the stored value of a variable. The server writes this to the audit log. The values of secrets are never shown. */
export function RevealButton({ owner, variable }: { owner: VariableOwner; variable: Variable }) {
  const [isOpen, setOpen] = useState(false)
  const reveal = useMutation(mutation('variables.reveal'))
  const close = () => {
    setOpen(false)
    reveal.reset()
  }
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        title="Show the value"
        aria-label={`Show the value of ${variable.key}`}
        onClick={() => {
          setOpen(true)
          reveal.mutate({ scope: owner.scope, resourceId: owner.id, id: variable.id })
        }}
      >
        <Eye size={15} aria-hidden />
      </ActionIcon>
      <Modal opened={isOpen} onClose={close} title={variable.key} centered>
        <ProblemAlert error={reveal.error} />
        {reveal.data && <CodeBlock text={reveal.data.value} label={`Value of ${variable.key}`} wrap />}
        <Text size="xs" c="dimmed" mt="sm">
          The audit log records that you viewed this value.
        </Text>
      </Modal>
    </>
  )
}
