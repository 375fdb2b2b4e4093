'use client'

import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Reauthentication as ReauthenticationInput } from '#server/schemas/account/accounts.ts'
import { Name } from '#server/schemas/conventions.ts'
import { mutation, type Output } from '../../../client/api.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { createPasskey, passkeyProblem } from '../../../components/forms/ask-passkey.ts'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { NameInput } from '../../../components/forms/name-input.tsx'
import {
  REAUTHENTICATION_ERRORS,
  Reauthentication,
  useReauthentication,
} from '../../../components/forms/reauthentication.tsx'
import { deviceOf } from '../device.ts'

/** Asks for the password, then lets the browser create the passkey. `onDone` gets new recovery codes, if there are any. */
export function AddPasskeyDialog(props: { onClose: () => void; onDone: (recoveryCodes: string[] | null) => void }) {
  const add = mutation('account.passkeys.add')
  const create = useMutation({
    mutationFn: async (given: { options: Output<'account.passkeys.begin'>; name: string }) =>
      add.mutationFn({ name: given.name, passkey: await createPasskey(given.options) }),
    onSuccess: ({ recoveryCodes }) => props.onDone(recoveryCodes),
  })
  const { form, ...operation } = useOperationForm({
    path: 'account.passkeys.begin',
    schema: ReauthenticationInput.extend({ name: Name }),
    initialValues: { name: deviceOf(navigator.userAgent), ...useReauthentication() },
    toInput: ({ password, code, passkey }) => ({ password, code, passkey }),
    errorFields: REAUTHENTICATION_ERRORS,
    onDone: (options, form) => create.mutate({ options, name: form.getValues().name.trim() }),
  })
  return (
    <FormDialog
      {...operation}
      isPending={operation.isPending || create.isPending}
      title="Add a passkey"
      intro={
        <>
          <Text size="sm">Your browser asks where to keep the passkey. Your other sessions end.</Text>
          {create.error && (
            <Text size="sm" c="red" role="alert">
              {passkeyProblem(create.error)}
            </Text>
          )}
        </>
      }
      submitLabel="Continue"
      onClose={props.onClose}
    >
      <NameInput {...form.getInputProps('name')} />
      <Reauthentication form={form} />
    </FormDialog>
  )
}
