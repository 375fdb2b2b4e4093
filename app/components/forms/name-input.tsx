import { TextInput, type TextInputProps } from '@mantine/core'

/** The field for the name of a resource. */
export function NameInput(props: TextInputProps) {
  return <TextInput label="Name" autoComplete="off" required {...props} />
}
