'use client'

import { Checkbox, Group, Radio, Text, TextInput } from '@mantine/core'
import { EVENT_KINDS, type Silence } from '#server/schemas/alerts/silences.ts'
import type { ResourceType } from '#server/schemas/scopes.ts'
import type { Input } from '../../client/api.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { useZone } from '../../client/zone.tsx'
import { zoneName } from '../../client/zone-choice.ts'
import { eventsLabel } from '../../components/alerts/event-labels.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { RadioGroup } from '../../components/forms/radio-group.tsx'
import { useReadablePlaces } from '../../components/pickers/finders.ts'
import { placeOf } from '../../components/pickers/place.ts'
import { type Found, SearchSelect } from '../../components/pickers/search-select.tsx'
import { RecurrencePicker } from '../../components/schedules/recurrence-picker.tsx'
import { clockText, instantAt } from '../../components/zone-clock.ts'
import { readConfig } from './silence-text.ts'

type Values = {
  channel: 'email' | 'all' | 'quiet-hours'
  /** Null is everything. */
  resource: Found | null
  events: string[]
  until: string
  quietHours: string
}

type Path = 'silences.create' | 'silences.update'

/** Creates a silence, or changes `silence`, whose resource stays the same. */
export function SilenceDialog({ silence, onClose }: { silence?: Silence; onClose: () => void }) {
  const { zone } = useZone()
  const config = readConfig(silence?.config ?? null)
  const { form, ...operation } = useOperationForm({
    path: (silence ? 'silences.update' : 'silences.create') as Path,
    initialValues: {
      channel: silence?.channel ?? 'email',
      resource: null,
      events: config.events ?? [...EVENT_KINDS],
      until: config.until ? clockText(config.until, zone) : '',
      quietHours: silence?.quietHours ?? 'FREQ=DAILY;BYHOUR=22;BYMINUTE=0/540',
    } as Values,
    toInput: ({ channel, resource, events, until, quietHours }) =>
      ({
        ...(silence ? { id: silence.id } : channel === 'quiet-hours' ? {} : resourceIds(resource)),
        channel,
        quietHours: channel === 'quiet-hours' ? quietHours : null,
        config: configText(events, until, zone),
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
        <SearchSelect
          label="Resource"
          placeholder="Everything"
          useFound={useReadablePlaces}
          clearable
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
        label={`Until (${zoneName(zone)})`}
        description="When the silence ends. If empty, it lasts until you delete it."
        {...form.getInputProps('until')}
      />
    </FormDialog>
  )
}

/** Returns for example `{ projectId }`. */
function resourceIds(resource: Found | null): Partial<Record<`${ResourceType}Id`, string>> {
  if (!resource) return {}
  const { resourceType, resourceId } = placeOf<ResourceType>(resource)
  return { [`${resourceType}Id`]: resourceId }
}

/**
 * Returns the config as JSON. It leaves out the defaults, and is null if both are defaults: all events, and no end. `until`
 * is on the clocks of the dashboard's zone.
 */
function configText(events: string[], until: string, zone: string): string | null {
  const at = until === '' ? null : instantAt(until, zone)
  const config = {
    ...(events.length < EVENT_KINDS.length ? { events } : {}),
    ...(at === null ? {} : { until: new Date(at).toISOString() }),
  }
  return Object.keys(config).length > 0 ? JSON.stringify(config) : null
}
