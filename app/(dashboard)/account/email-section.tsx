'use client'

import { Alert, Badge, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { EmailChange } from '#server/schemas/account/accounts.ts'
import { mutation } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'
import { notify } from '../../client/notify.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import {
  REAUTHENTICATION_ERRORS,
  Reauthentication,
  useReauthentication,
} from '../../components/forms/reauthentication.tsx'
import { Section } from '../../components/layout/section.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function EmailSection() {
  const { user, sendsMail } = useMe()
  const [pendingEmail, setPendingEmail] = useState<string | null>(null)
  const { form, ...operation } = useOperationForm({
    path: 'account.changeEmail',
    schema: EmailChange,
    initialValues: { email: '', ...useReauthentication() },
    errorFields: {
      ...REAUTHENTICATION_ERRORS,
      already_exists: { field: 'email', message: 'Another account has this address.' },
    },
    onDone: ({ isPending }, form) => {
      setPendingEmail(isPending ? form.values.email : null)
      form.reset()
      if (!isPending) notify({ message: 'Email address changed.', color: 'teal' })
    },
  })
  return (
    <Section
      title="Email"
      intro="You sign in with this address, and alerts are sent to it."
      actions={
        user.isEmailVerified ? (
          <Badge color="teal" variant="light">
            Confirmed
          </Badge>
        ) : undefined
      }
    >
      <FormFrame
        {...operation}
        intro={
          <>
            {sendsMail && !user.isEmailVerified && <Unconfirmed email={user.email} />}
            {pendingEmail && (
              <Alert variant="light" color="teal" role="status">
                We have sent a mail with a link to {pendingEmail}. When you open the link, your address changes and your
                other sessions end.
              </Alert>
            )}
          </>
        }
        submitLabel="Change email"
        submitButton={{ variant: 'default' }}
      >
        <TextInput label="New email" type="email" autoComplete="email" required {...form.getInputProps('email')} />
        <Reauthentication form={form} />
      </FormFrame>
    </Section>
  )
}

/** Until the address is confirmed, anyone who reads its mail can take over the account, even one with a second factor. */
function Unconfirmed({ email }: { email: string }) {
  const send = useMutation(mutation('account.sendConfirmation'))
  if (send.isSuccess)
    return <Text size="sm">We have sent a mail with a link to {email}. Open the link in this browser.</Text>
  return (
    <Alert variant="light" color="yellow">
      <Stack align="flex-start">
        <Text size="sm">
          You have not confirmed your address yet. Until you do, anyone who can read its mail can set a new password and
          remove your second factor.
        </Text>
        <ProblemAlert error={send.error} />
        <Button size="compact-sm" variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          Confirm address
        </Button>
      </Stack>
    </Alert>
  )
}
