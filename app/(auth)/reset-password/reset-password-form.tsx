'use client'

import { Alert, Anchor, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PasswordResetInput } from '#server/schemas/account/accounts.ts'
import { type Output, query } from '../../client/api.ts'
import { useLinkToken } from '../../client/use-link-token.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { NewPasswordInput } from '../../components/forms/new-password-input.tsx'
import { IncompleteLink } from '../../components/layout/incomplete-link.tsx'
import { Link } from '../../components/layout/link.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function ResetPasswordForm() {
  const token = useLinkToken()
  const [isDone, setDone] = useState(false)
  const reset = useQuery({ ...query('auth.passwordReset', { token: token ?? '' }), enabled: !!token && !isDone })
  if (isDone) {
    return (
      <Stack>
        <Alert variant="light" color="teal" role="status">
          Password changed. You are signed out in every browser.
        </Alert>
        <Anchor component={Link} href="/sign-in" size="sm">
          Sign in with the new password
        </Anchor>
      </Stack>
    )
  }
  if (token === '') return <IncompleteLink />
  if (reset.error) {
    return (
      <Stack>
        <ProblemAlert error={reset.error} />
        <Anchor component={Link} href="/forgot-password" size="sm">
          Request a new link
        </Anchor>
      </Stack>
    )
  }
  if (token === null || !reset.data) return <Loader aria-label="Loading" />
  return <NewPasswordForm token={token} reset={reset.data} onDone={() => setDone(true)} />
}

function NewPasswordForm(props: { token: string; reset: Output<'auth.passwordReset'>; onDone: () => void }) {
  const { token, onDone } = props
  const { email, takesOver } = props.reset
  const { form, ...operation } = useOperationForm({
    path: 'auth.resetPassword',
    schema: PasswordResetInput,
    initialValues: { token, password: '' },
    onDone,
  })
  return (
    <FormFrame
      {...operation}
      intro={
        <>
          <Text size="sm">
            For <strong>{email}</strong>.
          </Text>
          {takesOver && (
            <Alert variant="light" color="yellow">
              This address is not confirmed yet. When you set a new password, you confirm it. This also removes the
              second factor and the API keys that the account has now.
            </Alert>
          )}
        </>
      }
      submitLabel="Set password"
      submitButton={{ fullWidth: true }}
    >
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <NewPasswordInput label="New password" autoFocus {...form.getInputProps('password')} />
    </FormFrame>
  )
}
