'use client'

import { Group, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { SCHEDULE_MAX } from '#server/schemas/services.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { ExpressionInput } from './expression-input.tsx'
import { NextTimes } from './next-times.tsx'
import { PickerFrame } from './picker-frame.tsx'
import {
  cronOf,
  EVERY_DAY,
  HOUR_STEPS,
  MINUTE_STEPS,
  readSchedule,
  type ScheduleChoice,
  scheduleText,
} from './schedule-choice.ts'
import { TimeInput } from './time-input.tsx'
import { WeekdayInput } from './weekday-input.tsx'
import { ZoneSelect } from './zone-select.tsx'

// Loaded on use: a schedule every few minutes has neither.
const IntegerInput = lazyDialog(() => import('./integer-input.tsx').then((module) => module.IntegerInput))
const MonthDayInput = lazyDialog(() => import('./integer-input.tsx').then((module) => module.MonthDayInput))

export type SchedulePickerProps = {
  /** A cron expression of five fields. */
  value?: string
  onChange: (value: string) => void
  /** The time zone of the expression; empty for UTC, or for what `none` says. */
  timezone: { none?: string; value?: string; onChange: (timezone: string) => void; error?: ReactNode }
  error?: ReactNode
  label?: string
  /** The first field of a dialog. */
  'data-autofocus'?: boolean
}

type FormChoice = Exclude<ScheduleChoice, { repeat: 'custom' }>

/** What a repetition starts with when it is selected. */
const STARTS: Record<FormChoice['repeat'], FormChoice> = {
  minutes: { repeat: 'minutes', every: 5 },
  hours: { repeat: 'hours', every: 1, minute: 0 },
  weekly: { repeat: 'weekly', time: '06:00', weekdays: EVERY_DAY },
  monthly: { repeat: 'monthly', time: '06:00', day: 1 },
}

const REPEATS = [
  { value: 'minutes', label: 'Every few minutes' },
  { value: 'hours', label: 'Every few hours' },
  { value: 'weekly', label: 'On days of the week' },
  { value: 'monthly', label: 'On a day of the month' },
]
const CUSTOM = { value: 'custom', label: 'By expression' }

/** Picks a schedule by form or by cron expression; each shows the other. Lists the next runs in its time zone. */
export function SchedulePicker(props: SchedulePickerProps) {
  const { value = '', onChange, timezone, error, label = 'Schedule' } = props
  const choice = readSchedule(value)
  return (
    <PickerFrame label={label}>
      <Group gap="xs" align="flex-end" wrap="wrap">
        <Select
          label="Repeat"
          data={choice.repeat === 'custom' ? [...REPEATS, CUSTOM] : REPEATS}
          value={choice.repeat}
          onChange={(repeat) => {
            if (repeat && repeat in STARTS && repeat !== choice.repeat)
              onChange(cronOf(STARTS[repeat as FormChoice['repeat']]))
          }}
          allowDeselect={false}
          data-autofocus={props['data-autofocus']}
        />
        {choice.repeat === 'custom' ? null : <Details choice={choice} onChange={(next) => onChange(cronOf(next))} />}
        <ZoneSelect none="UTC" {...timezone} />
      </Group>
      <ExpressionInput
        label="Cron expression"
        description="Minute, hour, day, month and weekday, in the timezone above."
        maxLength={SCHEDULE_MAX}
        value={value}
        onChange={onChange}
        error={error}
      />
      <NextTimes kind="schedule" expression={value} timezone={timezone.value || 'UTC'} words={scheduleText(value)} />
    </PickerFrame>
  )
}

function Details({ choice, onChange }: { choice: FormChoice; onChange: (choice: FormChoice) => void }) {
  switch (choice.repeat) {
    case 'minutes':
      return (
        <EverySelect
          steps={MINUTE_STEPS}
          unit="minute"
          every={choice.every}
          onChange={(every) => onChange({ ...choice, every })}
        />
      )
    case 'hours':
      return (
        <>
          <EverySelect
            steps={HOUR_STEPS}
            unit="hour"
            every={choice.every}
            onChange={(every) => onChange({ ...choice, every })}
          />
          <IntegerInput
            label="At minute"
            max={59}
            value={choice.minute}
            onChange={(minute) => onChange({ ...choice, minute })}
          />
        </>
      )
    case 'weekly':
      return (
        <>
          <TimeInput label="Time" value={choice.time} onChange={(time) => onChange({ ...choice, time })} />
          <WeekdayInput value={choice.weekdays} onChange={(weekdays) => onChange({ ...choice, weekdays })} />
        </>
      )
    default:
      return (
        <>
          <MonthDayInput value={choice.day} onChange={(day) => onChange({ ...choice, day })} />
          <TimeInput label="Time" value={choice.time} onChange={(time) => onChange({ ...choice, time })} />
        </>
      )
  }
}

function EverySelect(props: { steps: number[]; unit: string; every: number; onChange: (every: number) => void }) {
  const { steps, unit, every, onChange } = props
  return (
    <Select
      label="Every"
      data={steps.map((step) => ({ value: String(step), label: step === 1 ? `1 ${unit}` : `${step} ${unit}s` }))}
      value={String(every)}
      onChange={(step) => step && onChange(Number(step))}
      allowDeselect={false}
      w={140}
    />
  )
}
