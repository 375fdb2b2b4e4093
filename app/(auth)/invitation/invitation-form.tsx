'use client'

import { Button, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AcceptInvitationInput } from '#server/schemas/accounts.ts'
import { type Output, query } from '../../client/api.ts'
import { useLinkToken } from '../../client/use-link-token.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function InvitationForm() {
  const token = useLinkToken()
  const invitation = useQuery({ ...query('auth.invitation', { token: token ?? '' }), enabled: !!token })
  if (token === '') return <Text>This link is not complete. Open it exactly as it was sent to you.</Text>
  if (invitation.error) return <ProblemAlert error={invitation.error} />
  if (token === null || !invitation.data) return <Loader aria-label="Loading" />
  return <Join token={token} invitation={invitation.data} />
}

function Join({ token, invitation }: { token: string; invitation: Output<'auth.invitation'> }) {
  const [needsCode, setNeedsCode] = useState(false)
  const { form, submit, isPending, error } = useOperationForm({
    path: 'auth.acceptInvitation',
    schema: AcceptInvitationInput,
    initialValues: {
      token,
      // The name of an account that exists stays as it is, whatever is sent.
      displayName: invitation.hasAccount ? invitation.email : '',
      password: '',
      code: undefined as string | undefined,
    },
    onProblem: (problem, form) => {
      if (problem.code === 'invalid_code') form.setFieldError('code', problem.sentence)
      else if (problem.code === 'totp_required') {
        form.setFieldValue('code', '')
        setNeedsCode(true)
      } else return false
      return true
    },
    onDone: () => window.location.assign('/workspaces'),
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">
          You are invited to <strong>{invitation.organization}</strong> as <strong>{invitation.email}</strong>.
          {invitation.hasAccount && ' You have an account: confirm with its password.'}
        </Text>
        <ProblemAlert error={error} />
        {!invitation.hasAccount && (
          <TextInput label="Your name" autoComplete="name" autoFocus required {...form.getInputProps('displayName')} />
        )}
        <input type="hidden" autoComplete="username" value={invitation.email} readOnly />
        <PasswordInput
          label="Password"
          autoComplete={invitation.hasAccount ? 'current-password' : 'new-password'}
          required
          {...form.getInputProps('password')}
        />
        {needsCode && (
          <TextInput
            label="Code"
            description="The six digits your authenticator app shows now, or a recovery code."
            autoComplete="one-time-code"
            autoFocus
            required
            {...form.getInputProps('code')}
            value={form.values.code ?? ''}
          />
        )}
        <Button type="submit" loading={isPending} fullWidth>
          Join {invitation.organization}
        </Button>
      </Stack>
    </form>
  )
}
