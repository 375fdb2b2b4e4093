'use client'

import { Anchor, Button, Checkbox, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AcceptInvitationInput } from '#server/schemas/account/accounts.ts'
import { type Output, query } from '../../client/api.ts'
import { useLinkToken } from '../../client/use-link-token.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { Link } from '../../components/layout/link.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function InvitationForm() {
  const token = useLinkToken()
  const invitation = useQuery({ ...query('auth.invitation', { token: token ?? '' }), enabled: !!token })
  if (token === '') return <Text>This link is not complete. Open it exactly as it was sent to you.</Text>
  if (invitation.error) return <ProblemAlert error={invitation.error} />
  if (token === null || !invitation.data) return <Loader aria-label="Loading" />
  return <JoinForm token={token} invitation={invitation.data} />
}

function JoinForm({ token, invitation }: { token: string; invitation: Output<'auth.invitation'> }) {
  const [needsCode, setNeedsCode] = useState(false)
  const [isOther, setOther] = useState(false)
  const { form, submit, isPending, error } = useOperationForm({
    path: 'auth.acceptInvitation',
    schema: AcceptInvitationInput,
    initialValues: {
      token,
      displayName: '',
      password: '',
      code: undefined as string | undefined,
      takeOver: false,
    },
    onProblem: (problem, form) => {
      if (problem.code === 'invalid_code') form.setFieldError('code', problem.message)
      else if (problem.code === 'totp_required') {
        form.setFieldValue('code', '')
        setNeedsCode(true)
      } else if (problem.code === 'invalid_credentials') {
        form.setFieldError('password', 'The account with this address has another password.')
        setOther(true)
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
        </Text>
        <ProblemAlert error={error} />
        <TextInput label="Your name" autoComplete="name" autoFocus required {...form.getInputProps('displayName')} />
        <input type="hidden" autoComplete="username" value={invitation.email} readOnly />
        <PasswordInput
          label="Password"
          description="Of your account, if you have one here already. Otherwise choose one of at least 8 characters."
          autoComplete="current-password"
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
        {isOther && <OtherAccountOptions canTakeOver={invitation.isMailed} input={form.getInputProps('takeOver')} />}
        <Button type="submit" loading={isPending} fullWidth>
          Join {invitation.organization}
        </Button>
      </Stack>
    </form>
  )
}

/** For someone who does not know the password of the account that has their address. */
function OtherAccountOptions({ canTakeOver, input }: { canTakeOver: boolean; input: object }) {
  return (
    <Stack gap="xs">
      {canTakeOver && (
        <Checkbox
          label="Start over with the password above"
          description="For an account that somebody else made with your address, and never confirmed. Its password, second factor, sessions and API keys end."
          {...input}
        />
      )}
      <Anchor component={Link} href="/forgot-password" size="sm">
        Forgot your password?
      </Anchor>
    </Stack>
  )
}
