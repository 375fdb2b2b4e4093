'use client'

import { BulkLabel } from '#server/schemas/bulk.ts'
import { notify } from '../../../../client/notify.ts'
import { useOperationForm } from '../../../../client/use-operation-form.ts'
import { FormDialog } from '../../../../components/forms/form-dialog.tsx'
import { LabelInput } from '../../../../components/forms/label-input.tsx'

/** Gives services the same label; an empty one clears it. */
export function BulkLabelDialog(props: { ids: string[]; onClose: () => void; onDone: () => void }) {
  const { form, ...operation } = useOperationForm({
    path: 'services.bulk.setLabel',
    schema: BulkLabel,
    initialValues: { ids: props.ids, label: '' },
    onDone: ({ changed }) => {
      notify({ color: 'teal', message: changed === 1 ? '1 label was changed.' : `${changed} labels were changed.` })
      props.onDone()
    },
  })
  return (
    <FormDialog {...operation} title="Change label" submitLabel="Change label" onClose={props.onClose}>
      <LabelInput data-autofocus {...form.getInputProps('label')} />
    </FormDialog>
  )
}
