'use client'

import { Button, Code, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { SetupInput } from '#server/schemas/account/accounts.ts'
import { query } from '../../client/api.ts'
import { useLinkToken } from '../../client/use-link-token.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function SetupForm() {
  const token = useLinkToken()
  const link = useQuery({ ...query('setup.link', { token: token ?? '' }), enabled: !!token })
  if (token === '') return <SetupLinkHelp />
  // Asked again once the account is made, the link is over: the form goes on to the dashboard all the same.
  if (token !== null && link.data) return <CreateOrganization key={token} token={token} />
  if (link.error) {
    return (
      <Stack>
        <ProblemAlert error={link.error} />
        <SetupLinkHelp />
      </Stack>
    )
  }
  return <Loader aria-label="Loading" />
}

function SetupLinkHelp() {
  return (
    <Text>
      Open the link that <Code>npm start</Code> or <Code>npm run web</Code> printed: it ends the line that begins with
      “there is no account yet”. A restart prints it again.
    </Text>
  )
}

function CreateOrganization({ token }: { token: string }) {
  const { form, submit, isPending, error } = useOperationForm({
    path: 'setup.create',
    schema: SetupInput,
    initialValues: { token, organization: '', displayName: '', email: '', password: '' },
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
