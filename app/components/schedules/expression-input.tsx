'use client'

import { TextInput, type TextInputProps } from '@mantine/core'

/** The field for a raw expression, beside the form that writes it. */
export function ExpressionInput({
  onChange,
  ...props
}: Omit<TextInputProps, 'onChange'> & { onChange: (value: string) => void }) {
  return (
    <TextInput
      size="xs"
      autoComplete="off"
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  )
}
