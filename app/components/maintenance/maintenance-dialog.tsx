'use client'

import { Radio, TextInput } from '@mantine/core'
import { MAINTENANCE_NOTE_MAX } from '#server/schemas/maintenances/maintenances.ts'
import type { ResourceType } from '#server/schemas/scopes.ts'
import type { Input } from '../../client/api.ts'
import { notify } from '../../client/notify.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { useZone } from '../../client/zone.tsx'
import { zoneName } from '../../client/zone-choice.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { RadioGroup } from '../forms/radio-group.tsx'
import { Segments } from '../inputs/segments.tsx'
import { useDateTimeText } from '../instant.tsx'
import { RecurrencePicker } from '../schedules/recurrence-picker.tsx'
import { instantAt } from '../zone-clock.ts'

const LENGTHS = [
  { value: '15', label: '15 min' },
  { value: '30', label: '30 min' },
  { value: '60', label: '1 hour' },
  { value: 'until', label: 'Until' },
  { value: 'rule', label: 'Repeats' },
] as const

type Values = {
  length: (typeof LENGTHS)[number]['value']
  startsAt: string
  endsAt: string
  rule: string
  mode: 'mute' | 'skip'
  note: string
}

/** Starts or plans a maintenance of a resource. */
export function MaintenanceDialog(props: {
  resourceType: ResourceType
  resourceId: string
  title: string
  submitLabel: string
  onClose: () => void
}) {
  const { resourceType, resourceId, title, submitLabel, onClose } = props
  const dateTimeText = useDateTimeText()
  const { zone } = useZone()
  const { form, ...operation } = useOperationForm({
    path: 'maintenances.create',
    initialValues: {
      length: '30',
      startsAt: '',
      endsAt: '',
      rule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=3;BYMINUTE=0/60',
      mode: 'mute',
      note: '',
    } as Values,
    toInput: ({ length, startsAt, endsAt, rule, mode, note }) =>
      ({
        [`${resourceType}Id`]: resourceId,
        mode,
        ...(note !== '' && { note }),
        ...(length === 'rule' ? { rule } : startsAt !== '' && { startsAt: instantOf(startsAt, zone) }),
        ...(length === 'until'
          ? { endsAt: instantOf(endsAt, zone) }
          : length !== 'rule' && { minutes: Number(length) }),
      }) as Input<'maintenances.create'>,
    onDone: ({ resourceName, state, startsAt, endsAt }) => {
      const message =
        state === 'active'
          ? `${resourceName} is under maintenance until ${dateTimeText(endsAt)}.`
          : `The maintenance of ${resourceName} begins ${dateTimeText(startsAt)}.`
      notify({ color: 'teal', message })
      onClose()
    },
  })
  const { length, startsAt } = form.values
  return (
    <FormDialog
      {...operation}
      title={title}
      submitLabel={length === 'rule' || startsAt !== '' ? 'Plan maintenance' : submitLabel}
      submitButton={{ disabled: length === 'until' && form.values.endsAt === '' }}
      onClose={onClose}
    >
      <Segments
        label="How long"
        size="xs"
        options={LENGTHS}
        value={length}
        onChange={(length) => form.setFieldValue('length', length)}
      />
      {length === 'rule' ? (
        <RecurrencePicker kind="serviceWindow" label="When" {...form.getInputProps('rule')} />
      ) : (
        <TextInput
          type="datetime-local"
          label={`Begins (${zoneName(zone)})`}
          description="If empty, it begins now."
          {...form.getInputProps('startsAt')}
        />
      )}
      {length === 'until' && (
        <TextInput type="datetime-local" label={`Ends (${zoneName(zone)})`} {...form.getInputProps('endsAt')} />
      )}
      <RadioGroup label="Mode" {...form.getInputProps('mode')}>
        <Radio
          value="mute"
          label="Mute"
          description="Runs go on. Their results count for nothing, and nobody is notified."
        />
        <Radio value="skip" label="Skip" description="No scheduled runs start." />
      </RadioGroup>
      <TextInput
        label="Note"
        description="Why, for everybody who sees it."
        placeholder="deploy 42"
        maxLength={MAINTENANCE_NOTE_MAX}
        {...form.getInputProps('note')}
      />
    </FormDialog>
  )
}

/** The input is on the clocks of the dashboard's zone. An incomplete time is refused by the server. */
function instantOf(text: string, zone: string): string {
  const at = instantAt(text, zone)
  return at === null ? text : new Date(at).toISOString()
}
