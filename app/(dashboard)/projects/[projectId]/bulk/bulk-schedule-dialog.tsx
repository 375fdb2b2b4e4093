'use client'

import { useState } from 'react'
import { type BulkResult, BulkSchedule } from '#server/schemas/bulk.ts'
import { SCHEDULE_DEFAULT } from '#server/schemas/services.ts'
import { useOperationForm } from '../../../../client/use-operation-form.ts'
import { BulkDialog } from '../../../../components/bulk/bulk-dialog.tsx'
import { FormFrame } from '../../../../components/forms/form-frame.tsx'
import { SchedulePicker } from '../../../../components/schedules/schedule-picker.tsx'

export function BulkScheduleDialog(props: { ids: string[]; onClose: () => void; onDone: () => void }) {
  const [result, setResult] = useState<BulkResult | null>(null)
  const { form, ...operation } = useOperationForm({
    path: 'services.bulk.setSchedule',
    schema: BulkSchedule,
    initialValues: { ids: props.ids, schedule: SCHEDULE_DEFAULT, timezone: '' },
    onDone: setResult,
  })
  return (
    <BulkDialog {...props} title="Change schedule" done="changed" result={result}>
      <FormFrame {...operation} submitLabel="Change schedule" onCancel={props.onClose}>
        <SchedulePicker
          {...form.getInputProps('schedule')}
          timezone={{ none: 'Of each service', ...form.getInputProps('timezone') }}
        />
      </FormFrame>
    </BulkDialog>
  )
}
