import { TextInput, type TextInputProps } from '@mantine/core'

export const CODE = 'The six digits that your authenticator app shows now.'
export const CODE_OR_RECOVERY_CODE = 'The six digits that your authenticator app shows now, or a recovery code.'
export const RECOVERY_CODE = 'One of your recovery codes.'

/** The field for the code of an authenticator app. */
export function CodeInput(props: TextInputProps) {
  return <TextInput label="Code" autoComplete="one-time-code" required {...props} />
}
