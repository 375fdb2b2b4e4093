'use client'

import { Chip, Group, Input, Select } from '@mantine/core'

/** 0 is Sunday; the week starts on Monday. */
const WEEKDAYS = [
  [1, 'Mon'],
  [2, 'Tue'],
  [3, 'Wed'],
  [4, 'Thu'],
  [5, 'Fri'],
  [6, 'Sat'],
  [0, 'Sun'],
] as const

/** Selects days of the week, 0 for Sunday. The last selected day stays selected. */
export function WeekdayInput({ value, onChange }: { value: number[]; onChange: (weekdays: number[]) => void }) {
  return (
    <Input.Wrapper label="Days" labelElement="div">
      <Chip.Group
        multiple
        value={value.map(String)}
        onChange={(days: string[]) => {
          if (days.length > 0) onChange(days.map(Number))
        }}
      >
        <Group gap={4}>
          {WEEKDAYS.map(([day, name]) => (
            <Chip key={day} value={String(day)} size="xs">
              {name}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  )
}

/** Selects one day of the week, 0 for Sunday. */
export function WeekdaySelect({ value, onChange }: { value: number; onChange: (weekday: number) => void }) {
  return (
    <Select
      label="Weekday"
      data={WEEKDAYS.map(([day, label]) => ({ value: String(day), label }))}
      value={String(value)}
      onChange={(day) => day && onChange(Number(day))}
      allowDeselect={false}
      w={100}
    />
  )
}
