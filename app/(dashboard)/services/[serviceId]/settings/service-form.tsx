'use client'

import { Button, Fieldset, Group, Radio, Stack, Switch, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type Service, ServiceChange } from '#server/schemas/services.ts'
import type { Input } from '../../../../client/api.ts'
import { useOperationForm } from '../../../../client/use-operation-form.ts'
import { Section } from '../../../../components/layout/section.tsx'
import { ProblemAlert } from '../../../../components/problem-alert.tsx'
import { ScheduleInput } from '../../../../components/schedule-input.tsx'
import { WindowInput } from './window-input.tsx'

/** Everything of a service but its script, its agents and its switch. */
export function ServiceForm({ service, mayWrite }: { service: Service; mayWrite: boolean }) {
  const { form, submit, isPending, error } = useOperationForm({
    path: 'services.update',
    schema: ServiceChange,
    initialValues: {
      name: service.name,
      label: service.label ?? '',
      schedule: service.schedule,
      probeMode: service.probeMode,
      queuePolicy: service.queuePolicy,
      serviceWindow: service.serviceWindow ?? '',
      saveResponseBodies: service.saveResponseBodies,
    },
    toInput: (values) =>
      ({
        id: service.id,
        ...values,
        label: values.label.trim() || null,
        serviceWindow: values.serviceWindow.trim() || null,
      }) as Input<'services.update'>,
    onProblem: (problem, form) => {
      if (problem.code === 'already_exists') form.setFieldError('name', problem.message)
      else if (problem.code === 'unverified_domain_interval') form.setFieldError('schedule', problem.message)
      else return false
      return true
    },
    onDone: (_, form) => {
      form.resetDirty()
      notifications.show({ color: 'teal', message: 'The settings are saved.' })
    },
  })
  return (
    <Section title="Settings">
      <form onSubmit={submit} noValidate>
        <Fieldset variant="unstyled" disabled={!mayWrite}>
          <Stack>
            <ProblemAlert error={error} />
            <TextInput label="Name" autoComplete="off" required {...form.getInputProps('name')} />
            <TextInput
              label="Label"
              description="A short word shown beside the name."
              autoComplete="off"
              {...form.getInputProps('label')}
            />
            <ScheduleInput {...form.getInputProps('schedule')} />
            <WindowInput {...form.getInputProps('serviceWindow')} />
            <Radio.Group label="With several agents" {...form.getInputProps('probeMode')}>
              <Stack gap={6} mt={6}>
                <Radio
                  value="consecutive"
                  label="Take turns"
                  description="One agent per run, the next one each time."
                />
                <Radio value="simultaneous" label="All at once" description="Every agent runs the script each time." />
                <Radio value="random" label="Any one" description="One agent per run, picked by chance." />
              </Stack>
            </Radio.Group>
            <Radio.Group
              label="When a run comes due while the one before is under way"
              {...form.getInputProps('queuePolicy')}
            >
              <Stack gap={6} mt={6}>
                <Radio value="skip" label="Leave it out" />
                <Radio value="enqueue_once" label="Run it right afterwards" description="At most one run waits." />
              </Stack>
            </Radio.Group>
            <Switch
              label="Keep response bodies"
              description="So that you can read what a step got."
              {...form.getInputProps('saveResponseBodies', { type: 'checkbox' })}
            />
            {mayWrite && (
              <Group justify="flex-end">
                <Button type="submit" loading={isPending}>
                  Save settings
                </Button>
              </Group>
            )}
          </Stack>
        </Fieldset>
      </form>
    </Section>
  )
}
