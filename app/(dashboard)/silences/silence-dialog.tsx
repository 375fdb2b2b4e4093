'use client'

import { Button, Checkbox, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { EVENT_KINDS, type Silence } from '#server/schemas/silences.ts'
import type { Input } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { ResourcePicker, type SelectedResource } from './resource-picker.tsx'
import { readConfig } from './silence-text.ts'

const EVENT_LABELS: Record<string, string> = { 'service.failed': 'Failures', 'service.recovered': 'Recoveries' }

type Values = {
  channel: 'email' | 'all' | 'quiet-hours'
  resource: SelectedResource
  events: string[]
  until: string
  quietHours: string
}

type Path = 'silences.create' | 'silences.update'

/** Makes a silence, or changes one; what it silences stays. */
export function SilenceDialog({ silence, onClose }: { silence?: Silence; onClose: () => void }) {
  const me = useMe()
  const config = readConfig(silence?.config ?? null)
  const { form, submit, isPending, error } = useOperationForm({
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
    onDone: onClose,
  })
  const { channel } = form.values
  const hasResource = !!(silence?.workspaceId ?? silence?.projectId ?? silence?.serviceId)
  return (
    <Modal opened onClose={onClose} title={silence ? 'Change silence' : 'New silence'} centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          <Radio.Group label="Silence" {...form.getInputProps('channel')}>
            <Stack gap={6} mt={6}>
              <Radio value="email" label="Email" description="No mail about what you choose below." />
              <Radio value="all" label="Everything to me" description="No alert of any kind reaches you." />
              <Radio
                value="quiet-hours"
                label="Quiet hours"
                description="No mail while a recurring window is open. They hold for everything."
                disabled={hasResource}
              />
            </Stack>
          </Radio.Group>
          {channel === 'quiet-hours' ? (
            <TextInput
              label="Quiet hours"
              description={`RRULE/minutes, or RRULE/minutes/timezone; the timezone is ${me.organization.timezone} unless you say.`}
              autoComplete="off"
              spellCheck={false}
              required
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              {...form.getInputProps('quietHours')}
            />
          ) : silence ? (
            <Text size="sm">
              Of <strong>{silence.resourceName ?? 'everything'}</strong>
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
                <Checkbox key={kind} value={kind} label={EVENT_LABELS[kind] ?? kind} />
              ))}
            </Group>
          </Checkbox.Group>
          <TextInput
            type="datetime-local"
            label="Until"
            description="The silence ends then. Leave it empty for one that stays."
            {...form.getInputProps('until')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending} disabled={form.values.events.length === 0}>
              {silence ? 'Save silence' : 'Create silence'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** All events and no end need no words. */
function configText(events: string[], until: string): string | null {
  const config = {
    ...(events.length < EVENT_KINDS.length ? { events } : {}),
    ...(until ? { until: new Date(until).toISOString() } : {}),
  }
  return Object.keys(config).length > 0 ? JSON.stringify(config) : null
}

/** As the browser's own input writes a time: in the reader's zone, without one. */
function localText(instant: string): string {
  const date = new Date(instant)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
