'use client'

import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { PasswordChange } from '#server/schemas/account/accounts.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { Section } from '../../components/layout/section.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { Reauthentication, showCredentialError, useReauthentication } from '../../components/reauthentication.tsx'

export function PasswordSection() {
  const { form, submit, isPending, error } = useOperationForm({
    path: 'account.changePassword',
    schema: PasswordChange,
    initialValues: { ...useReauthentication(), newPassword: '' },
    onProblem: showCredentialError,
    onDone: (_, form) => {
      form.reset()
      notifications.show({ message: 'Your password is changed. Other sessions have ended.', color: 'teal' })
    },
  })
  return (
    <Section title="Password" intro="A change ends your sessions everywhere else. API keys go on working.">
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          <Reauthentication form={form} />
          <PasswordInput
            label="New password"
            description="At least eight characters, and not one of the common ones."
            autoComplete="new-password"
            required
            {...form.getInputProps('newPassword')}
          />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
