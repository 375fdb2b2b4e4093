'use client'

import { TextInput } from '@mantine/core'
import { z } from 'zod'
import { DomainName } from '#server/schemas/organization/domains.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'

export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const { form, ...operation } = useOperationForm({
    path: 'organization.domains.add',
    schema: z.object({ domain: DomainName }),
    initialValues: { domain: '' },
    errorFields: { already_exists: { field: 'domain', message: 'This domain is already in the list.' } },
    onDone: onClose,
  })
  return (
    <FormDialog {...operation} title="Add a domain" submitLabel="Add domain" onClose={onClose}>
      <TextInput
        label="Domain"
        placeholder="example.com"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        required
        {...form.getInputProps('domain')}
      />
    </FormDialog>
  )
}
