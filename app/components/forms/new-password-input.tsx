import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { PASSWORD_MIN } from '#server/schemas/account/accounts.ts'

/** The field in which someone chooses a password. */
export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      description={`At least ${PASSWORD_MIN} characters. Common passwords are refused.`}
      autoComplete="new-password"
      required
      {...props}
    />
  )
}
