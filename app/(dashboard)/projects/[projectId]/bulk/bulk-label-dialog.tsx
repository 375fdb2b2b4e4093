'use client'

import { useState } from 'react'
import { BulkLabel, type BulkResult } from '#server/schemas/bulk.ts'
import { useOperationForm } from '../../../../client/use-operation-form.ts'
import { BulkDialog } from '../../../../components/bulk/bulk-dialog.tsx'
import { FormFrame } from '../../../../components/forms/form-frame.tsx'
import { LabelInput } from '../../../../components/forms/label-input.tsx'

/** Gives services the same label; an empty one clears it. */
export function BulkLabelDialog(props: { ids: string[]; onClose: () => void; onDone: () => void }) {
  const [result, setResult] = useState<BulkResult | null>(null)
  const { form, ...operation } = useOperationForm({
    path: 'services.bulk.setLabel',
    schema: BulkLabel,
    initialValues: { ids: props.ids, label: '' },
    onDone: setResult,
  })
  return (
    <BulkDialog {...props} title="Change label" done="changed" result={result}>
      <FormFrame {...operation} submitLabel="Change label" onCancel={props.onClose}>
        <LabelInput data-autofocus {...form.getInputProps('label')} />
      </FormFrame>
    </BulkDialog>
  )
}
