'use client'

import { ActionIcon } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Variable } from '#server/schemas/variables.ts'
import { mutation } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { Eye } from '../icons.ts'
import type { VariableOwner } from './scope.ts'

const RevealDialog = lazyDialog(async () => (await import('./reveal-dialog.tsx')).RevealDialog)

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
      {isOpen && <RevealDialog name={variable.key} value={reveal.data?.value} error={reveal.error} onClose={close} />}
    </>
  )
}
