'use client'

import { Text } from '@mantine/core'
import { Reauthentication as ReauthenticationInput } from '#server/schemas/account/accounts.ts'
import type { Output } from '../../client/api.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import {
  REAUTHENTICATION_ERRORS,
  Reauthentication,
  useReauthentication,
} from '../../components/forms/reauthentication.tsx'

type Path = 'account.totp.begin' | 'account.totp.renewCodes' | 'account.totp.disable'

/** A dialog for an operation whose whole input is the password and the code. */
export function ReauthenticationDialog<P extends Path>(props: {
  path: P
  title: string
  explanation: string
  submitLabel: string
  color?: string
  onClose: () => void
  onDone: (output: Output<P>) => void
}) {
  const { form, ...operation } = useOperationForm({
    path: props.path,
    schema: ReauthenticationInput,
    initialValues: useReauthentication(),
    errorFields: REAUTHENTICATION_ERRORS,
    onDone: props.onDone,
  })
  return (
    <FormDialog
      {...operation}
      title={props.title}
      intro={<Text size="sm">{props.explanation}</Text>}
      submitLabel={props.submitLabel}
      submitButton={props.color ? { color: props.color } : {}}
      onClose={props.onClose}
    >
      <Reauthentication form={form} />
    </FormDialog>
  )
}
