'use client'

import { Radio, Select } from '@mantine/core'
import { useState } from 'react'
import { AccountKeyInput } from '#server/schemas/account/keys.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { FormFrame } from '../../../components/forms/form-frame.tsx'
import { NameInput } from '../../../components/forms/name-input.tsx'
import { RadioGroup } from '../../../components/forms/radio-group.tsx'
import {
  REAUTHENTICATION_ERRORS,
  Reauthentication,
  useReauthentication,
} from '../../../components/forms/reauthentication.tsx'
import { ShownOnce } from '../../../components/forms/shown-once.tsx'

const EXPIRIES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '3650', label: '10 years' },
  { value: '', label: 'Never' },
]

/** Creates a key and shows it once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState<string | null>(null)
  return (
    <ShownOnce secret={key} what="key" label="API key" onClose={onClose}>
      <NewKeyForm onKey={setKey} onClose={onClose} />
    </ShownOnce>
  )
}

function NewKeyForm({ onKey, onClose }: { onKey: (key: string) => void; onClose: () => void }) {
  const reauthentication = useReauthentication()
  const { form, ...operation } = useOperationForm({
    path: 'account.keys.create',
    schema: AccountKeyInput,
    initialValues: {
      name: '',
      access: 'read' as 'read' | 'write',
      expiresInDays: 90 as number | null,
      ...reauthentication,
    },
    errorFields: REAUTHENTICATION_ERRORS,
    onDone: ({ key }) => onKey(key),
  })
  return (
    <FormFrame {...operation} submitLabel="Create key" onCancel={onClose}>
      <NameInput
        description="Where the key is used, such as the name of a pipeline."
        data-autofocus
        {...form.getInputProps('name')}
      />
      <RadioGroup label="Access" {...form.getInputProps('access')}>
        <Radio value="read" label="Read" description="Can read, but not change anything." />
        <Radio value="write" label="Write" description="Can do everything that you can do through the API." />
      </RadioGroup>
      <Select
        label="Expires"
        data={EXPIRIES}
        allowDeselect={false}
        value={form.values.expiresInDays === null ? '' : String(form.values.expiresInDays)}
        onChange={(value) => form.setFieldValue('expiresInDays', value ? Number(value) : null)}
      />
      <Reauthentication form={form} />
    </FormFrame>
  )
}
