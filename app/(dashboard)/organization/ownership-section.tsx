'use client'

import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { OwnershipTransfer } from '#server/schemas/organization/organizations.ts'
import { query } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'
import { notify } from '../../client/notify.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import {
  REAUTHENTICATION_ERRORS,
  Reauthentication,
  useReauthentication,
} from '../../components/forms/reauthentication.tsx'
import { Section } from '../../components/layout/section.tsx'

export function OwnershipSection() {
  const me = useMe()
  const members = useQuery(query('members.list', { pageSize: 100 }))
  const { form, ...operation } = useOperationForm({
    path: 'organization.transferOwnership',
    schema: OwnershipTransfer,
    initialValues: { userId: '', ...useReauthentication() },
    errorFields: REAUTHENTICATION_ERRORS,
    onDone: (_, form) => {
      form.reset()
      notify({ color: 'teal', message: 'The organization has a new owner.' })
    },
  })
  const others = (members.data?.items ?? []).filter((member) => member.isActive && member.userId !== me.user.id)
  return (
    <Section title="Ownership" intro="The owner has every permission. After a transfer you stay a member.">
      <FormFrame
        {...operation}
        submitLabel="Transfer ownership"
        submitButton={{ variant: 'default', disabled: others.length === 0 }}
      >
        <Select
          label="New owner"
          placeholder={others.length === 0 ? 'There is no other member yet' : 'Select a member'}
          data={others.map((member) => ({ value: member.userId, label: `${member.displayName} (${member.email})` }))}
          disabled={others.length === 0}
          searchable
          required
          {...form.getInputProps('userId')}
        />
        <Reauthentication form={form} />
      </FormFrame>
    </Section>
  )
}
