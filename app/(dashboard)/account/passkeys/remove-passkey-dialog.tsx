'use client'

import { Text } from '@mantine/core'
import { type Passkey, PasskeyRemoval } from '#server/schemas/account/passkeys.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import {
  REAUTHENTICATION_ERRORS,
  Reauthentication,
  useReauthentication,
} from '../../../components/forms/reauthentication.tsx'

export function RemovePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { form, ...operation } = useOperationForm({
    path: 'account.passkeys.remove',
    schema: PasskeyRemoval,
    initialValues: { id: passkey.id, ...useReauthentication() },
    errorFields: REAUTHENTICATION_ERRORS,
    onDone: onClose,
  })
  return (
    <FormDialog
      {...operation}
      title={`Remove ${passkey.name}`}
      intro={<Text size="sm">It no longer signs you in, and your other sessions end.</Text>}
      submitLabel="Remove passkey"
      submitButton={{ color: 'red' }}
      onClose={onClose}
    >
      <Reauthentication form={form} />
    </FormDialog>
  )
}
