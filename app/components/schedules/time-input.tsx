'use client'

import { TextInput } from '@mantine/core'

/** The browser's own field for a time of day, `HH:MM`. A time that is not complete changes nothing. */
export function TimeInput({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (time: string) => void
}) {
  return (
    <TextInput
      type="time"
      label={label}
      value={value}
      onChange={(event) => {
        const time = event.currentTarget.value.slice(0, 5)
        if (time) onChange(time)
      }}
    />
  )
}
