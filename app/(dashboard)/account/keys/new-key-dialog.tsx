'use client'

import { Alert, Button, Group, Modal, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { AccountKeyInput } from '#server/schemas/account/keys.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { CopyText } from '../../../components/copy-text.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { Reauthentication, showCredentialError, useReauthentication } from '../../../components/reauthentication.tsx'

const EXPIRIES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '3650', label: '10 years' },
  { value: '', label: 'Never' },
]

/** Asks for what a key needs and the password again; then shows the key, this once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState<string | null>(null)
  return (
    <Modal
      opened
      onClose={onClose}
      title={key ? 'Your new key' : 'New key'}
      centered
      closeOnClickOutside={key === null}
      closeOnEscape={key === null}
    >
      {key ? (
        <Stack>
          <Alert variant="light" color="orange">
            Copy the key now. It is not kept anywhere and cannot be shown again.
          </Alert>
          <CopyText text={key} label="API key" />
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <NewKeyForm onKey={setKey} onClose={onClose} />
      )}
    </Modal>
  )
}

function NewKeyForm({ onKey, onClose }: { onKey: (key: string) => void; onClose: () => void }) {
  const reauthentication = useReauthentication()
  const { form, submit, isPending, error } = useOperationForm({
    path: 'account.keys.create',
    schema: AccountKeyInput,
    initialValues: {
      name: '',
      access: 'read' as 'read' | 'write',
      expiresInDays: 90 as number | null,
      ...reauthentication,
    },
    onProblem: showCredentialError,
    onDone: ({ key }) => onKey(key),
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <ProblemAlert error={error} />
        <TextInput
          label="Name"
          description="What will use it, such as the name of a pipeline."
          data-autofocus
          autoComplete="off"
          required
          {...form.getInputProps('name')}
        />
        <Radio.Group label="Access" {...form.getInputProps('access')}>
          <Stack gap={6} mt={6}>
            <Radio value="read" label="Read" description="Only looks things up." />
            <Radio value="write" label="Write" description="May do whatever you may do through the API." />
          </Stack>
        </Radio.Group>
        <Select
          label="Expires"
          data={EXPIRIES}
          allowDeselect={false}
          value={form.values.expiresInDays === null ? '' : String(form.values.expiresInDays)}
          onChange={(value) => form.setFieldValue('expiresInDays', value ? Number(value) : null)}
        />
        <Reauthentication form={form} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
