'use client'

import { z } from 'zod'
import type { Variable } from '#server/schemas/variables.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { HostsField, parseHosts } from './allowed-hosts.ts'
import { HostsInput } from './hosts-input.tsx'
import type { VariableOwner } from './scope.ts'

const HostsForm = z.object({ allowedHosts: HostsField })

/** Changes the allowed hosts of a secret, without its value. */
export function HostsDialog(props: { owner: VariableOwner; variable: Variable; onClose: () => void }) {
  const { owner, variable, onClose } = props
  const { form, ...operation } = useOperationForm({
    path: 'variables.setAllowedHosts',
    schema: HostsForm,
    initialValues: { allowedHosts: variable.allowedHosts.join('\n') },
    toInput: ({ allowedHosts }) => ({
      scope: owner.scope,
      resourceId: owner.id,
      id: variable.id,
      allowedHosts: parseHosts(allowedHosts),
    }),
    onDone: onClose,
  })
  return (
    <FormDialog {...operation} title={`Allowed hosts of ${variable.key}`} submitLabel="Save hosts" onClose={onClose}>
      <HostsInput data-autofocus {...form.getInputProps('allowedHosts')} />
    </FormDialog>
  )
}
