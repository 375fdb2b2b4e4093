'use client'

import { Button, Group, Modal, Stack, Switch, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { SCHEDULE_DEFAULT, ServiceCreate } from '#server/schemas/services.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { ScheduleInput } from '../../../components/schedule-input.tsx'

/** Name and schedule; the script comes next, on the service's own page. */
export function NewServiceDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const router = useRouter()
  const { form, submit, isPending, error } = useOperationForm({
    path: 'services.create',
    schema: ServiceCreate,
    initialValues: { projectId, name: '', label: '', schedule: SCHEDULE_DEFAULT, saveResponseBodies: true },
    toInput: ({ label, ...values }) => ({ ...values, label: label.trim() || null }),
    onProblem: (problem, form) => {
      if (problem.code !== 'already_exists') return false
      form.setFieldError('name', problem.message)
      return true
    },
    onDone: (service) => router.push(`/services/${service.id}/script`),
  })
  return (
    <Modal opened onClose={onClose} title="New service" centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          <TextInput
            label="Name"
            description="What it watches, such as Checkout or Public API."
            data-autofocus
            autoComplete="off"
            required
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Label"
            description="A short word shown beside the name."
            autoComplete="off"
            {...form.getInputProps('label')}
          />
          <ScheduleInput {...form.getInputProps('schedule')} />
          <Switch
            label="Keep response bodies"
            description="So that you can read what a step got."
            {...form.getInputProps('saveResponseBodies', { type: 'checkbox' })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Create and write the script
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
