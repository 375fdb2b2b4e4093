'use client'

import { Alert, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { EmailChange } from '#server/schemas/account/accounts.ts'
import { mutation } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { Section } from '../../components/layout/section.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { Reauthentication, showCredentialError, useReauthentication } from '../../components/reauthentication.tsx'

export function EmailSection() {
  const { user, sendsMail } = useMe()
  const [pendingEmail, setPendingEmail] = useState<string | null>(null)
  const { form, submit, isPending, error } = useOperationForm({
    path: 'account.changeEmail',
    schema: EmailChange,
    initialValues: { email: '', ...useReauthentication() },
    onProblem: (problem, form) => {
      if (problem.code !== 'already_exists') return showCredentialError(problem, form)
      form.setFieldError('email', 'Another account has this address.')
      return true
    },
    onDone: ({ isPending }, form) => {
      setPendingEmail(isPending ? form.values.email : null)
      form.reset()
      if (!isPending) notifications.show({ message: 'Your email address is changed.', color: 'teal' })
    },
  })
  return (
    <Section
      title="Email"
      intro="The address you sign in with and that alerts are sent to."
      actions={
        user.isEmailVerified ? (
          <Badge color="teal" variant="light">
            Confirmed
          </Badge>
        ) : undefined
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          {sendsMail && !user.isEmailVerified && <Unconfirmed email={user.email} />}
          {pendingEmail && (
            <Alert variant="light" color="teal" role="status">
              A mail with a link is on its way to {pendingEmail}. Your address changes when you open it, and you are
              signed out everywhere else.
            </Alert>
          )}
          <ProblemAlert error={error} />
          <TextInput label="New email" type="email" autoComplete="email" required {...form.getInputProps('email')} />
          <Reauthentication form={form} />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={isPending}>
              Change email
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

/** Until the address is confirmed, whoever can read its mail can take the account over, second factor or not. */
function Unconfirmed({ email }: { email: string }) {
  const send = useMutation(mutation('account.sendConfirmation'))
  if (send.isSuccess)
    return <Text size="sm">A mail with a link is on its way to {email}. Open it in this browser.</Text>
  return (
    <Alert variant="light" color="yellow">
      <Stack align="flex-start">
        <Text size="sm">
          You have not confirmed your address yet. Until you do, whoever can read its mail can set a new password and
          end your second factor with it.
        </Text>
        <ProblemAlert error={send.error} />
        <Button size="compact-sm" variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          Confirm address
        </Button>
      </Stack>
    </Alert>
  )
}
