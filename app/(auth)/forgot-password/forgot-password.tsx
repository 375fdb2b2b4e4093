'use client'

import { Alert, Anchor, Button, Code, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PasswordResetRequest } from '#server/schemas/account/accounts.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { Link } from '../../components/layout/link.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function ForgotPassword({ hasMail }: { hasMail: boolean }) {
  return (
    <Stack>
      {hasMail ? (
        <RequestForm />
      ) : (
        <Text size="sm">
          This installation sends no mail. Ask whoever runs it for a link; they make one with{' '}
          <Code>npm run reset-password -- EMAIL</Code>.
        </Text>
      )}
      <Anchor component={Link} href="/sign-in" size="sm">
        Back to sign-in
      </Anchor>
    </Stack>
  )
}

/** Says the same whether or not there is such an account. */
function RequestForm() {
  const [isSent, setSent] = useState(false)
  const { form, submit, isPending, error } = useOperationForm({
    path: 'auth.requestPasswordReset',
    schema: PasswordResetRequest,
    initialValues: { email: '' },
    onDone: () => setSent(true),
  })
  if (isSent) {
    return (
      <Alert variant="light" role="status">
        If there is an account for {form.values.email.trim()}, a mail with a link is on its way. The link works once,
        within an hour.
      </Alert>
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <ProblemAlert error={error} />
        <TextInput
          label="Email"
          description="A link to choose a new password is sent there."
          type="email"
          autoComplete="username"
          autoFocus
          required
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={isPending} fullWidth>
          Send link
        </Button>
      </Stack>
    </form>
  )
}
