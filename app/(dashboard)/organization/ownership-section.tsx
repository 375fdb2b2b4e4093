'use client'

import { useState } from 'react'
import { OwnershipTransfer } from '#server/schemas/organization/organizations.ts'
import { notify } from '../../client/notify.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import {
  REAUTHENTICATION_ERRORS,
  Reauthentication,
  useReauthentication,
} from '../../components/forms/reauthentication.tsx'
import { Section } from '../../components/layout/section.tsx'
import { useFoundMembers } from '../../components/pickers/finders.ts'
import { type Found, SearchSelect } from '../../components/pickers/search-select.tsx'

export function OwnershipSection() {
  const [picked, setPicked] = useState<Found | null>(null)
  const { form, ...operation } = useOperationForm({
    path: 'organization.transferOwnership',
    schema: OwnershipTransfer,
    initialValues: { userId: '', ...useReauthentication() },
    errorFields: REAUTHENTICATION_ERRORS,
    onDone: (_, form) => {
      form.reset()
      setPicked(null)
      notify({ color: 'teal', message: 'The organization has a new owner.' })
    },
  })
  return (
    <Section title="Ownership" intro="The owner has every permission. After a transfer you stay a member.">
      <FormFrame {...operation} submitLabel="Transfer ownership" submitButton={{ variant: 'default' }}>
        <SearchSelect
          label="New owner"
          placeholder="Search by name or address"
          useFound={useFoundMembers}
          required
          error={form.errors.userId}
          value={picked}
          onChange={(found) => {
            setPicked(found)
            form.setFieldValue('userId', found?.value ?? '')
          }}
        />
        <Reauthentication form={form} />
      </FormFrame>
    </Section>
  )
}
