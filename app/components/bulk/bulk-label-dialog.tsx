'use client'

import { useState } from 'react'
import { mutation } from '../../client/api.ts'
import { LabelsInput } from '../forms/labels-input.tsx'
import { Segments } from '../inputs/segments.tsx'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'
import { judgeLabels, type LabelChange, planOf, type Selected } from './plan.ts'
import { undoOf } from './undo.ts'

const MODES = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove' },
  { value: 'set', label: 'Replace all' },
] as const

/** Adds labels to services, removes some, or replaces all of them. */
export function BulkLabelDialog(props: BulkDialogProps<Selected>) {
  const { services } = props
  const [mode, setMode] = useState<LabelChange['mode']>('add')
  const [labels, setLabels] = useState<string[]>([])
  const isReady = mode === 'set' || labels.length > 0
  return (
    <BulkDialog
      {...props}
      title="Change labels"
      plan={isReady ? planOf(services, judgeLabels({ mode, labels })) : null}
      submitLabel="Change labels"
      done="changed"
      send={async () => {
        const input = { ids: services.map(({ id }) => id), [mode]: labels }
        const result = await mutation('services.bulk.setLabels').mutationFn(input)
        return { result, undo: undoOf(result) }
      }}
    >
      <Segments label="What to do with the labels" options={MODES} value={mode} onChange={setMode} />
      <LabelsInput
        {...(mode === 'set' && { description: 'These replace all labels. None removes them.' })}
        value={labels}
        onChange={setLabels}
        data-autofocus
      />
    </BulkDialog>
  )
}
