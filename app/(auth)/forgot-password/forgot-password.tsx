'use client'

import { Alert, Anchor, Code, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { PasswordResetRequest } from '#server/schemas/account/accounts.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { EmailInput } from '../../components/forms/email-input.tsx'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { Link } from '../../components/layout/link.tsx'

export function ForgotPassword({ hasMail }: { hasMail: boolean }) {
  return (
    <Stack>
      {hasMail ? (
        <RequestForm />
      ) : (
        <Text size="sm">
          This installation sends no mail. Ask its operator for a link. The operator creates one with{' '}
          <Code>npm run reset-password -- EMAIL</Code>.
        </Text>
      )}
      <Anchor component={Link} href="/sign-in" size="sm">
        Back to sign-in
      </Anchor>
    </Stack>
  )
}

/** The message does not reveal whether the account exists. */
function RequestForm() {
  const [isSent, setSent] = useState(false)
  const { form, ...operation } = useOperationForm({
    path: 'auth.requestPasswordReset',
    schema: PasswordResetRequest,
    initialValues: { email: '' },
    onDone: () => setSent(true),
  })
  if (isSent) {
    return (
      <Alert variant="light" role="status">
        If there is an account for {form.values.email.trim()}, we have sent a mail with a link to it. The link works
        once, within one hour.
      </Alert>
    )
  }
  return (
    <FormFrame {...operation} submitLabel="Send link" submitButton={{ fullWidth: true }}>
      <EmailInput
        description="We send a link to this address. With it you choose a new password."
        autoFocus
        {...form.getInputProps('email')}
      />
    </FormFrame>
  )
}
