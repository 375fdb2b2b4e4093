'use client'

import { NumberInput } from '@mantine/core'

/** A small field for an integer within bounds. An empty field changes nothing. */
export function IntegerInput(props: {
  label: string
  min?: number
  max: number
  value: number
  onChange: (value: number) => void
}) {
  const { label, min = 0, max, value, onChange } = props
  return (
    <NumberInput
      label={label}
      min={min}
      max={max}
      clampBehavior="strict"
      allowDecimal={false}
      value={value}
      onChange={(next) => {
        if (typeof next === 'number') onChange(next)
      }}
      w={100}
    />
  )
}

/** The day of a month. */
export function MonthDayInput(props: { value: number; onChange: (day: number) => void }) {
  return <IntegerInput label="Day" min={1} max={31} {...props} />
}
