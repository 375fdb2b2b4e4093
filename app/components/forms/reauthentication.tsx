'use client'

import { PasswordInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMe } from '../../client/me.tsx'
import type { ErrorFields } from '../../client/use-operation-form.ts'
import { CODE_OR_RECOVERY_CODE, CodeInput } from './code-input.tsx'

/** Values of a form that asks for the password again. `code` is undefined for accounts without a second factor. */
export type ReauthenticationValues = { password: string; code: string | undefined }

/** Initial values of such a form for the current member. */
export function useReauthentication(): ReauthenticationValues {
  const me = useMe()
  return { password: '', code: me.user.hasTotp ? '' : undefined }
}

/** The fields of such a form that show a wrong password or code. */
export const REAUTHENTICATION_ERRORS: ErrorFields = {
  invalid_credentials: { field: 'password', message: 'Wrong password.' },
  invalid_code: 'code',
  totp_required: 'code',
}

/** Inputs for the password and, if the member has a second factor, for the code. */
export function Reauthentication<Values extends ReauthenticationValues>({ form }: { form: UseFormReturnType<Values> }) {
  const me = useMe()
  return (
    <>
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        required
        {...form.getInputProps('password')}
      />
      {me.user.hasTotp && <CodeInput description={CODE_OR_RECOVERY_CODE} {...form.getInputProps('code')} />}
    </>
  )
}
