'use client'

import { TextInput } from '@mantine/core'
import { ProfileChange } from '#server/schemas/account/accounts.ts'
import { useMe } from '../../client/me.tsx'
import { notify } from '../../client/notify.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { Section } from '../../components/layout/section.tsx'

export function ProfileSection() {
  const me = useMe()
  const { form, ...operation } = useOperationForm({
    path: 'account.updateProfile',
    schema: ProfileChange,
    initialValues: { displayName: me.user.displayName },
    onDone: () => notify({ message: 'Name saved.', color: 'teal' }),
  })
  return (
    <Section title="Profile">
      <FormFrame {...operation} submitLabel="Save name" submitButton={{ variant: 'default' }}>
        <TextInput label="Your name" autoComplete="name" required {...form.getInputProps('displayName')} />
      </FormFrame>
    </Section>
  )
}
