import { TextInput, type TextInputProps } from '@mantine/core'

/** The field for the email address of an account that someone signs in to or creates. */
export function EmailInput(props: TextInputProps) {
  return <TextInput label="Email" type="email" autoComplete="username" required {...props} />
}
