'use client'

import { Button, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { EmailChange } from '#server/schemas/accounts.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { Reauthentication, showAtField, useReauthentication } from '../../components/reauthentication.tsx'
import { Section } from '../../components/section.tsx'

export function EmailSection() {
  const { form, submit, isPending, error } = useOperationForm({
    path: 'account.changeEmail',
    schema: EmailChange,
    initialValues: { email: '', ...useReauthentication() },
    onProblem: (problem, form) => {
      if (problem.code !== 'already_exists') return showAtField(problem, form)
      form.setFieldError('email', 'Another account has this address.')
      return true
    },
    onDone: (_, form) => {
      form.reset()
      notifications.show({ message: 'Your email address is changed.', color: 'teal' })
    },
  })
  return (
    <Section title="Email" intro="The address you sign in with and that alerts are sent to.">
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          <TextInput label="New email" type="email" autoComplete="email" required {...form.getInputProps('email')} />
          <Reauthentication form={form} />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={isPending}>
              Change email
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
