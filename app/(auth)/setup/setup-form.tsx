'use client'

import { Code, Loader, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { SetupInput } from '#server/schemas/account/accounts.ts'
import { query } from '../../client/api.ts'
import { useLinkToken } from '../../client/use-link-token.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { EmailInput } from '../../components/forms/email-input.tsx'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { NewPasswordInput } from '../../components/forms/new-password-input.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function SetupForm() {
  const token = useLinkToken()
  const link = useQuery({ ...query('setup.link', { token: token ?? '' }), enabled: !!token })
  if (token === '') return <SetupLinkHelp />
  // Once the account exists, a refetch reports the link as invalid. The form stays until it opens the dashboard.
  if (token !== null && link.data) return <CreateOrganization key={token} token={token} />
  if (link.error) return <ProblemAlert error={link.error} />
  return <Loader aria-label="Loading" />
}

function SetupLinkHelp() {
  return (
    <Text>
      Open the link that <Code>npm start</Code> or <Code>npm run web</Code> printed. It is at the end of the line that
      begins with “there is no account yet”. A restart prints it again.
    </Text>
  )
}

function CreateOrganization({ token }: { token: string }) {
  const { form, ...operation } = useOperationForm({
    path: 'setup.create',
    schema: SetupInput,
    initialValues: { token, organization: '', displayName: '', email: '', password: '' },
    toInput: ({ displayName, ...values }) => ({ ...values, displayName: displayName.trim() || undefined }),
    // `replace` keeps the used token out of the browser's history.
    onDone: () => window.location.replace('/'),
  })
  return (
    <FormFrame {...operation} submitLabel="Create organization" submitButton={{ fullWidth: true }}>
      <TextInput
        label="Organization"
        description="The name of your team or company."
        autoComplete="organization"
        autoFocus
        required
        {...form.getInputProps('organization')}
      />
      <TextInput label="Your name" autoComplete="name" required {...form.getInputProps('displayName')} />
      <EmailInput {...form.getInputProps('email')} />
      <NewPasswordInput label="Password" {...form.getInputProps('password')} />
    </FormFrame>
  )
}
