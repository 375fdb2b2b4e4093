'use client'

import { mutation } from '../../client/api.ts'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'
import { countText, judgeSwitch, planOf, type Selected } from './plan.ts'
import { undoOf } from './undo.ts'

/** Switches services on or off. */
export function BulkSwitchDialog(props: BulkDialogProps<Selected> & { isActive: boolean }) {
  const { services, isActive } = props
  const word = isActive ? 'on' : 'off'
  const plan = planOf(services, judgeSwitch(isActive))
  return (
    <BulkDialog
      {...props}
      title={`Switch ${word}`}
      plan={plan}
      submitLabel={`Switch ${countText(plan.changes.length)} ${word}`}
      done={`switched ${word}`}
      send={async () => {
        const input = { ids: services.map(({ id }) => id), isActive }
        const result = await mutation('services.bulk.toggle').mutationFn(input)
        return { result, undo: undoOf(result) }
      }}
    />
  )
}
