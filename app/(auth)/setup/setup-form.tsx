'use client'

import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { SetupInput } from '#server/schemas/accounts.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function SetupForm() {
  const { form, submit, isPending, error } = useOperationForm({
    path: 'setup.create',
    schema: SetupInput,
    initialValues: { organization: '', displayName: '', email: '', password: '' },
    toInput: ({ displayName, ...values }) => ({ ...values, displayName: displayName.trim() || undefined }),
    onDone: () => window.location.assign('/workspaces'),
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <ProblemAlert error={error} />
        <TextInput
          label="Organization"
          description="What your team or company is called."
          autoComplete="organization"
          autoFocus
          required
          {...form.getInputProps('organization')}
        />
        <TextInput label="Your name" autoComplete="name" required {...form.getInputProps('displayName')} />
        <TextInput label="Email" type="email" autoComplete="username" required {...form.getInputProps('email')} />
        <PasswordInput
          label="Password"
          description="At least eight characters, and not one of the common ones."
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={isPending} fullWidth>
          Create organization
        </Button>
      </Stack>
    </form>
  )
}
