'use client'

import { z } from 'zod'
import { Name } from '#server/schemas/conventions.ts'
import type { Input, MutationPath, Output } from '../../client/api.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from './form-dialog.tsx'
import { NameInput } from './name-input.tsx'

type Props<Path extends MutationPath> = {
  path: Path
  title: string
  submitLabel: string
  initialName?: string
  toInput: (name: string) => Input<Path>
  onClose: () => void
  onDone: (output: Output<Path>) => void
}

/** Creates or renames something that needs only a name. */
export function OpenedNameDialog<Path extends MutationPath>(props: Props<Path>) {
  const { form, ...operation } = useOperationForm({
    path: props.path,
    schema: z.object({ name: Name }),
    initialValues: { name: props.initialName ?? '' },
    toInput: ({ name }) => props.toInput(name.trim()),
    onDone: props.onDone,
    errorFields: { already_exists: 'name' },
  })
  return (
    <FormDialog {...operation} title={props.title} submitLabel={props.submitLabel} onClose={props.onClose}>
      <NameInput data-autofocus maxLength={128} {...form.getInputProps('name')} />
    </FormDialog>
  )
}
