'use client'

import { Alert, Anchor, Button, Loader, PasswordInput, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PasswordResetInput } from '#server/schemas/account/accounts.ts'
import { type Output, query } from '../../client/api.ts'
import { useLinkToken } from '../../client/use-link-token.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
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
          Your password is changed, and you are signed out everywhere.
        </Alert>
        <Anchor component={Link} href="/sign-in" size="sm">
          Sign in with it
        </Anchor>
      </Stack>
    )
  }
  if (token === '') return <Text>This link is not complete. Open it exactly as it was sent to you.</Text>
  if (reset.error) {
    return (
      <Stack>
        <ProblemAlert error={reset.error} />
        <Anchor component={Link} href="/forgot-password" size="sm">
          Ask for a new link
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
  const { form, submit, isPending, error } = useOperationForm({
    path: 'auth.resetPassword',
    schema: PasswordResetInput,
    initialValues: { token, password: '' },
    onDone,
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">
          For <strong>{email}</strong>.
        </Text>
        {takesOver && (
          <Alert variant="light" color="yellow">
            Nobody has confirmed this address yet. A new password shows that it is yours, and also ends what was set up
            for the account before: its second factor and its API keys.
          </Alert>
        )}
        <ProblemAlert error={error} />
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          autoFocus
          required
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={isPending} fullWidth>
          Set password
        </Button>
      </Stack>
    </form>
  )
}
