'use client'

import { Text } from '@mantine/core'
import { useState } from 'react'
import { mutation } from '../../client/api.ts'
import { ConfirmationInput } from '../forms/confirmation.tsx'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'
import { countText, judgeRemoval, planOf, type Selected } from './plan.ts'
import { undoOfRemoval } from './undo.ts'

/** Deletes services after their number is typed. */
export function BulkRemoveDialog(props: BulkDialogProps<Selected>) {
  const { services } = props
  const [text, setText] = useState('')
  const label = `Delete ${countText(services.length)}`
  return (
    <BulkDialog
      {...props}
      title={label}
      plan={planOf(services, judgeRemoval)}
      submitLabel={label}
      done="deleted"
      color="red"
      isReady={text.trim() === String(services.length)}
      send={async () => {
        const result = await mutation('services.bulk.remove').mutationFn({ ids: services.map(({ id }) => id) })
        return { result, undo: undoOfRemoval(result) }
      }}
    >
      <Text size="sm">
        This also deletes their scripts, variables and results. You can restore them for seven days, under Recently
        deleted.
      </Text>
      <ConfirmationInput
        text={String(services.length)}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </BulkDialog>
  )
}
