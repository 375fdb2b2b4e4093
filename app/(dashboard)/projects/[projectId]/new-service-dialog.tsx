'use client'

import { useRouter } from 'next/navigation'
import { SCHEDULE_DEFAULT, ServiceCreate } from '#server/schemas/services.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { BodiesSwitch } from '../../../components/forms/bodies-switch.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { LabelInput } from '../../../components/forms/label-input.tsx'
import { NameInput } from '../../../components/forms/name-input.tsx'
import { SchedulePicker } from '../../../components/schedules/schedule-picker.tsx'

/** Creates a service without a script, then opens its script page. */
export function NewServiceDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const router = useRouter()
  const { form, ...operation } = useOperationForm({
    path: 'services.create',
    schema: ServiceCreate,
    initialValues: { projectId, name: '', label: '', schedule: SCHEDULE_DEFAULT, saveResponseBodies: true },
    toInput: ({ label, ...values }) => ({ ...values, label: label.trim() || null }),
    errorFields: { already_exists: 'name' },
    onDone: (service) => router.push(`/services/${service.id}/script`),
  })
  return (
    <FormDialog {...operation} title="New service" submitLabel="Create and write the script" onClose={onClose}>
      <NameInput
        description="What the service monitors, such as Checkout or Public API."
        data-autofocus
        {...form.getInputProps('name')}
      />
      <LabelInput {...form.getInputProps('label')} />
      <SchedulePicker {...form.getInputProps('schedule')} />
      <BodiesSwitch {...form.getInputProps('saveResponseBodies', { type: 'checkbox' })} />
    </FormDialog>
  )
}
