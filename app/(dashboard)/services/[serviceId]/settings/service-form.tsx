'use client'

import { Radio, Switch } from '@mantine/core'
import { type Service, ServiceChange } from '#server/schemas/services.ts'
import type { Input } from '../../../../client/api.ts'
import { notify } from '../../../../client/notify.ts'
import { useOperationForm } from '../../../../client/use-operation-form.ts'
import { BodiesSwitch } from '../../../../components/forms/bodies-switch.tsx'
import { FormFrame } from '../../../../components/forms/form-frame.tsx'
import { LabelsInput, labelsError } from '../../../../components/forms/labels-input.tsx'
import { NameInput } from '../../../../components/forms/name-input.tsx'
import { RadioGroup } from '../../../../components/forms/radio-group.tsx'
import { Section } from '../../../../components/layout/section.tsx'
import { RecurrencePicker } from '../../../../components/schedules/recurrence-picker.tsx'
import { SchedulePicker } from '../../../../components/schedules/schedule-picker.tsx'

/** The settings of a service, except its script, its agents and its switch. */
export function ServiceForm({ service, mayWrite }: { service: Service; mayWrite: boolean }) {
  const { form, ...operation } = useOperationForm({
    path: 'services.update',
    schema: ServiceChange,
    initialValues: {
      name: service.name,
      labels: service.labels,
      schedule: service.schedule,
      timezone: service.timezone ?? '',
      probeMode: service.probeMode,
      queuePolicy: service.queuePolicy,
      serviceWindow: service.serviceWindow ?? '',
      saveResponseBodies: service.saveResponseBodies,
      sendTraceparent: service.sendTraceparent,
    },
    toInput: (values) =>
      ({
        id: service.id,
        ...values,
        timezone: values.timezone || null,
        serviceWindow: values.serviceWindow.trim() || null,
      }) as Input<'services.update'>,
    errorFields: { already_exists: 'name', unverified_domain_interval: 'schedule' },
    onDone: (_, form) => {
      form.resetDirty()
      notify({ color: 'teal', message: 'Settings saved.' })
    },
  })
  return (
    <Section title="Settings">
      <FormFrame {...operation} submitLabel="Save settings" readOnly={!mayWrite}>
        <NameInput {...form.getInputProps('name')} />
        <LabelsInput {...form.getInputProps('labels')} error={labelsError(form.errors)} />
        <SchedulePicker {...form.getInputProps('schedule')} timezone={form.getInputProps('timezone')} />
        <RecurrencePicker
          kind="serviceWindow"
          label="Maintenance window"
          description="The service has no scheduled runs in this window."
          {...form.getInputProps('serviceWindow')}
        />
        <RadioGroup label="With several agents" {...form.getInputProps('probeMode')}>
          <Radio value="consecutive" label="Take turns" description="One agent runs the script each time, in turn." />
          <Radio value="simultaneous" label="All agents" description="Every agent runs the script each time." />
          <Radio
            value="random"
            label="Random agent"
            description="One agent runs the script each time, picked at random."
          />
        </RadioGroup>
        <RadioGroup
          label="If a run is due while the previous run has not finished"
          {...form.getInputProps('queuePolicy')}
        >
          <Radio value="skip" label="Skip it" />
          <Radio value="enqueue_once" label="Run it next" description="At most one run waits." />
        </RadioGroup>
        <BodiesSwitch {...form.getInputProps('saveResponseBodies', { type: 'checkbox' })} />
        <Switch
          label="Send traceparent"
          description="Each request carries the header traceparent. Its trace id, which the result shows, leads to the target's own trace."
          {...form.getInputProps('sendTraceparent', { type: 'checkbox' })}
        />
      </FormFrame>
    </Section>
  )
}
