'use client'

import { PasswordChange } from '#server/schemas/account/accounts.ts'
import { notify } from '../../client/notify.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { NewPasswordInput } from '../../components/forms/new-password-input.tsx'
import {
  REAUTHENTICATION_ERRORS,
  Reauthentication,
  useReauthentication,
} from '../../components/forms/reauthentication.tsx'
import { Section } from '../../components/layout/section.tsx'

export function PasswordSection() {
  const { form, ...operation } = useOperationForm({
    path: 'account.changePassword',
    schema: PasswordChange,
    initialValues: { ...useReauthentication(), newPassword: '' },
    errorFields: REAUTHENTICATION_ERRORS,
    onDone: (_, form) => {
      form.reset()
      notify({ message: 'Password changed. Your other sessions have ended.', color: 'teal' })
    },
  })
  return (
    <Section title="Password" intro="A new password ends your other sessions. Your API keys still work.">
      <FormFrame {...operation} submitLabel="Change password" submitButton={{ variant: 'default' }}>
        <Reauthentication form={form} />
        <NewPasswordInput label="New password" {...form.getInputProps('newPassword')} />
      </FormFrame>
    </Section>
  )
}
