'use client'

import { Checkbox, Group, Radio, Text, TextInput } from '@mantine/core'
import { EVENT_KINDS, type Silence } from '#server/schemas/alerts/silences.ts'
import type { Input } from '../../client/api.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { eventsLabel } from '../../components/alerts/event-labels.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { RadioGroup } from '../../components/forms/radio-group.tsx'
import { RecurrencePicker } from '../../components/schedules/recurrence-picker.tsx'
import { ResourcePicker, type SelectedResource } from './resource-picker.tsx'
import { readConfig } from './silence-text.ts'

type Values = {
  channel: 'email' | 'all' | 'quiet-hours'
  resource: SelectedResource
  events: string[]
  until: string
  quietHours: string
}

type Path = 'silences.create' | 'silences.update'

/** Creates a silence, or changes `silence`, whose resource stays the same. */
export function SilenceDialog({ silence, onClose }: { silence?: Silence; onClose: () => void }) {
  const config = readConfig(silence?.config ?? null)
  const { form, ...operation } = useOperationForm({
    path: (silence ? 'silences.update' : 'silences.create') as Path,
    initialValues: {
      channel: silence?.channel ?? 'email',
      resource: {},
      events: config.events ?? [...EVENT_KINDS],
      until: config.until ? localText(config.until) : '',
      quietHours: silence?.quietHours ?? 'FREQ=DAILY;BYHOUR=22;BYMINUTE=0/540',
    } as Values,
    toInput: ({ channel, resource, events, until, quietHours }) =>
      ({
        ...(silence ? { id: silence.id } : channel === 'quiet-hours' ? {} : resource),
        channel,
        quietHours: channel === 'quiet-hours' ? quietHours : null,
        config: configText(events, until),
      }) as Input<Path>,
    onProblem: ({ details }, form) => {
      const isPast = details.field === 'config' && String(details.reason).startsWith('until')
      if (isPast) form.setFieldError('until', 'This time has passed.')
      return isPast
    },
    onDone: onClose,
  })
  const { channel } = form.values
  const hasResource = !!(silence?.workspaceId ?? silence?.projectId ?? silence?.serviceId)
  return (
    <FormDialog
      {...operation}
      title={silence ? 'Change silence' : 'New silence'}
      submitLabel={silence ? 'Save silence' : 'Create silence'}
      submitButton={{ disabled: form.values.events.length === 0 }}
      onClose={onClose}
    >
      <RadioGroup label="Silence" {...form.getInputProps('channel')}>
        <Radio value="email" label="Email" description="You receive no mails about the selected resource." />
        <Radio value="all" label="All channels" description="You receive no notifications of any kind about it." />
        <Radio
          value="quiet-hours"
          label="Quiet hours"
          description="You receive no mails at all during a recurring window."
          disabled={hasResource}
        />
      </RadioGroup>
      {channel === 'quiet-hours' ? (
        <RecurrencePicker kind="quietHours" label="Quiet hours" {...form.getInputProps('quietHours')} />
      ) : silence ? (
        <Text size="sm">
          For <strong>{silence.resourceName ?? 'everything'}</strong>
        </Text>
      ) : (
        <ResourcePicker
          value={form.values.resource}
          onChange={(resource) => form.setFieldValue('resource', resource)}
        />
      )}
      <Checkbox.Group label="Events" {...form.getInputProps('events')}>
        <Group mt={6}>
          {EVENT_KINDS.map((kind) => (
            <Checkbox key={kind} value={kind} label={eventsLabel(kind)} />
          ))}
        </Group>
      </Checkbox.Group>
      <TextInput
        type="datetime-local"
        label="Until"
        description="When the silence ends. If empty, it lasts until you delete it."
        {...form.getInputProps('until')}
      />
    </FormDialog>
  )
}

/** Returns the config as JSON. It leaves out the defaults, and is null if both are defaults: all events, and no end. */
function configText(events: string[], until: string): string | null {
  const config = {
    ...(events.length < EVENT_KINDS.length ? { events } : {}),
    ...(until ? { until: new Date(until).toISOString() } : {}),
  }
  return Object.keys(config).length > 0 ? JSON.stringify(config) : null
}

/** Returns the local time in the format of a `datetime-local` input, which has no timezone. */
function localText(instant: string): string {
  const date = new Date(instant)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
