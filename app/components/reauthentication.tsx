'use client'

import { PasswordInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMe } from '../client/me.tsx'
import type { Problem } from '../client/problem.ts'

/** What every form holds that asks who is there once more. `code` is undefined for accounts without a second factor. */
export type ReauthenticationValues = { password: string; code: string | undefined }

export function useReauthentication(): ReauthenticationValues {
  const me = useMe()
  return { password: '', code: me.user.hasTotp ? '' : undefined }
}

/** Password again, and the code where a second factor is enrolled. */
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
      {me.user.hasTotp && (
        <TextInput
          label="Code"
          description="The six digits your authenticator app shows now, or a recovery code."
          autoComplete="one-time-code"
          required
          {...form.getInputProps('code')}
        />
      )}
    </>
  )
}

/** Shows a wrong password or code at its field; true where the failure was one of them. */
export function showCredentialError(
  problem: Problem,
  form: { setFieldError: (field: string, text: string) => void },
): boolean {
  if (problem.code === 'invalid_credentials') form.setFieldError('password', 'This is not your password.')
  else if (problem.code === 'invalid_code' || problem.code === 'totp_required')
    form.setFieldError('code', problem.message)
  else return false
  return true
}
