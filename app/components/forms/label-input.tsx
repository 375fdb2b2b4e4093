import { TextInput, type TextInputProps } from '@mantine/core'

/** The field for the label of a service or a webhook. */
export function LabelInput(props: TextInputProps) {
  return <TextInput label="Label" description="A short word shown next to the name." autoComplete="off" {...props} />
}
