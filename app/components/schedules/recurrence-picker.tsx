'use client'

import { Group, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMe } from '../../client/me.tsx'
import { ExpressionInput } from './expression-input.tsx'
import { MonthDayInput } from './integer-input.tsx'
import { NextTimes } from './next-times.tsx'
import { PickerFrame } from './picker-frame.tsx'
import { type FormRecurrence, NTH, readRecurrence, recurrenceOf, recurrenceText } from './recurrence-choice.ts'
import { EVERY_DAY } from './schedule-choice.ts'
import { TimeInput } from './time-input.tsx'
import { WeekdayInput, WeekdaySelect } from './weekday-input.tsx'
import { ZoneSelect } from './zone-select.tsx'

const REPEATS = [
  { value: 'once', label: 'Once' },
  { value: 'weekly', label: 'On days of the week' },
  { value: 'monthly', label: 'On a day of the month' },
  { value: 'monthly-weekday', label: 'On a weekday of the month' },
] satisfies { value: FormRecurrence['repeat']; label: string }[]
const NONE = { value: 'none', label: 'Never' }
const CUSTOM = { value: 'custom', label: 'By rule' }

/** Picks a maintenance window or quiet hours by form or by recurrence rule; each shows the other. Lists the next ones. */
export function RecurrencePicker(props: {
  kind: 'serviceWindow' | 'quietHours'
  label: string
  description?: string
  /** `RRULE[/minutes[/timezone]]`; empty for no window. */
  value?: string
  onChange: (value: string) => void
  error?: ReactNode
}) {
  const { kind, value = '', onChange, error } = props
  const { timezone } = useMe().organization
  const choice = readRecurrence(value)
  const isForm = choice.repeat !== 'none' && choice.repeat !== 'custom'
  const repeats = [
    ...(kind === 'serviceWindow' || choice.repeat === 'none' ? [NONE] : []),
    ...REPEATS,
    ...(choice.repeat === 'custom' ? [CUSTOM] : []),
  ]
  return (
    <PickerFrame label={props.label} {...(props.description ? { description: props.description } : {})}>
      <Group gap="xs" align="flex-end">
        <Select
          label="Repeat"
          data={repeats}
          value={choice.repeat}
          onChange={(repeat) => {
            if (repeat === 'none') onChange('')
            else if (repeat && repeat !== choice.repeat && repeat !== 'custom')
              onChange(recurrenceOf(startOf(repeat as FormRecurrence['repeat'], isForm ? choice : null)))
          }}
          allowDeselect={false}
        />
        {isForm && <Details choice={choice} timezone={timezone} onChange={(next) => onChange(recurrenceOf(next))} />}
      </Group>
      <ExpressionInput
        label="Recurrence rule"
        description={`RRULE/minutes or RRULE/minutes/timezone. Without a timezone, ${timezone} applies.`}
        maxLength={256}
        value={value}
        onChange={onChange}
        error={error}
      />
      {value !== '' && <NextTimes kind={kind} expression={value} words={recurrenceText(value)} />}
    </PickerFrame>
  )
}

/** Returns what a repetition starts with when it is selected. The hours stay those of the form. */
function startOf(repeat: FormRecurrence['repeat'], previous: FormRecurrence | null): FormRecurrence {
  const { from = '02:00', to = '04:00', timezone = null } = previous ?? {}
  const hours = { from, to, timezone }
  switch (repeat) {
    case 'once':
      return { repeat, date: new Date(Date.now() + DAY_MS).toISOString().slice(0, 10), ...hours }
    case 'weekly':
      return { repeat, weekdays: EVERY_DAY, ...hours }
    case 'monthly':
      return { repeat, day: 1, ...hours }
    default:
      return { repeat, nth: 1, weekday: 0, ...hours }
  }
}

const DAY_MS = 86_400_000

function Details(props: { choice: FormRecurrence; timezone: string; onChange: (choice: FormRecurrence) => void }) {
  const { choice, timezone, onChange } = props
  return (
    <>
      <Days choice={choice} onChange={onChange} />
      <TimeInput label="From" value={choice.from} onChange={(from) => onChange({ ...choice, from })} />
      <TimeInput label="To" value={choice.to} onChange={(to) => onChange({ ...choice, to })} />
      <ZoneSelect
        none={`${timezone} (default)`}
        noneZone={timezone}
        value={choice.timezone ?? ''}
        onChange={(zone) => onChange({ ...choice, timezone: zone || null })}
      />
    </>
  )
}

function Days({ choice, onChange }: { choice: FormRecurrence; onChange: (choice: FormRecurrence) => void }) {
  switch (choice.repeat) {
    case 'once':
      return (
        <TextInput
          type="date"
          label="Date"
          value={choice.date}
          onChange={(event) => {
            const date = event.currentTarget.value
            if (/^\d{4}-\d\d-\d\d$/.test(date)) onChange({ ...choice, date })
          }}
        />
      )
    case 'weekly':
      return <WeekdayInput value={choice.weekdays} onChange={(weekdays) => onChange({ ...choice, weekdays })} />
    case 'monthly':
      return <MonthDayInput value={choice.day} onChange={(day) => onChange({ ...choice, day })} />
    default:
      return (
        <>
          <Select
            label="Week"
            data={NTH.map(({ nth, label }) => ({ value: String(nth), label }))}
            value={String(choice.nth)}
            onChange={(nth) => nth && onChange({ ...choice, nth: Number(nth) })}
            allowDeselect={false}
            w={110}
          />
          <WeekdaySelect value={choice.weekday} onChange={(weekday) => onChange({ ...choice, weekday })} />
        </>
      )
  }
}
