'use client'

import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { Reauthentication as ReauthenticationInput } from '#server/schemas/account/accounts.ts'
import type { Output } from '../../client/api.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { Reauthentication, showCredentialError, useReauthentication } from '../../components/reauthentication.tsx'

type Path = 'account.totp.begin' | 'account.totp.renewCodes' | 'account.totp.disable'

/** An operation that takes nothing but the password and the code again. */
export function ReauthenticationDialog<P extends Path>(props: {
  path: P
  title: string
  explanation: string
  submitLabel: string
  color?: string
  onClose: () => void
  onDone: (output: Output<P>) => void
}) {
  const { form, submit, isPending, error } = useOperationForm({
    path: props.path,
    schema: ReauthenticationInput,
    initialValues: useReauthentication(),
    onProblem: showCredentialError,
    onDone: props.onDone,
  })
  return (
    <Modal opened onClose={props.onClose} title={props.title} centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{props.explanation}</Text>
          <ProblemAlert error={error} />
          <Reauthentication form={form} />
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" color={props.color} loading={isPending}>
              {props.submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
