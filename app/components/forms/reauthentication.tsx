'use client'

import { PasswordInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { PasskeyProof } from '#server/schemas/account/passkey-proof.ts'
import { useMe } from '../../client/me.tsx'
import type { ErrorFields } from '../../client/use-operation-form.ts'
import { CODE_OR_RECOVERY_CODE, CodeInput, RECOVERY_CODE } from './code-input.tsx'
import { PasskeyButton } from './passkey-button.tsx'

/** Values of a form that asks for the password again. `code` is undefined without a second factor, or with a passkey. */
export type ReauthenticationValues = {
  password: string
  code: string | undefined
  passkey: PasskeyProof | undefined
}

/** Initial values of such a form for the current member. */
export function useReauthentication(): ReauthenticationValues {
  const { user } = useMe()
  return { password: '', code: user.hasTotp || user.hasPasskey ? '' : undefined, passkey: undefined }
}

/** The fields of such a form that show a wrong password or code. */
export const REAUTHENTICATION_ERRORS: ErrorFields = {
  invalid_credentials: { field: 'password', message: 'Wrong password.' },
  invalid_code: 'code',
  totp_required: 'code',
}

/** Inputs for the password and, if the member has a second factor, for a code or a passkey. */
export function Reauthentication<Values extends ReauthenticationValues>({ form }: { form: UseFormReturnType<Values> }) {
  const { user, canUsePasskeys } = useMe()
  const hasProof = form.values.passkey !== undefined
  const takeProof = (passkey: PasskeyProof) => form.setValues({ passkey, code: undefined } as Partial<Values>)
  return (
    <>
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        required
        {...form.getInputProps('password')}
      />
      {(user.hasTotp || user.hasPasskey) && !hasProof && (
        <CodeInput description={user.hasTotp ? CODE_OR_RECOVERY_CODE : RECOVERY_CODE} {...form.getInputProps('code')} />
      )}
      {user.hasPasskey && canUsePasskeys && (
        <PasskeyButton label={hasProof ? 'Confirmed with a passkey' : 'Use a passkey instead'} onProof={takeProof} />
      )}
    </>
  )
}
