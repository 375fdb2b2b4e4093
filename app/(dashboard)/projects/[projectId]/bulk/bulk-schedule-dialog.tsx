'use client'

import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { BulkSchedule } from '#server/schemas/bulk.ts'
import { SCHEDULE_DEFAULT } from '#server/schemas/services.ts'
import type { ToggleResult } from '#server/schemas/toggles.ts'
import { useOperationForm } from '../../../../client/use-operation-form.ts'
import { FormFrame } from '../../../../components/forms/form-frame.tsx'
import { SchedulePicker } from '../../../../components/schedules/schedule-picker.tsx'
import { ToggleOutcome } from '../../../../components/switches/toggle-outcome.tsx'

export function BulkScheduleDialog(props: { ids: string[]; onClose: () => void; onDone: () => void }) {
  const [result, setResult] = useState<ToggleResult | null>(null)
  const { form, ...operation } = useOperationForm({
    path: 'services.bulk.setSchedule',
    schema: BulkSchedule,
    initialValues: { ids: props.ids, schedule: SCHEDULE_DEFAULT },
    onDone: setResult,
  })
  return (
    <Modal opened onClose={result ? props.onDone : props.onClose} title="Change schedule" centered>
      {result ? (
        <Stack>
          <ToggleOutcome result={result} done="changed" />
          <Group justify="flex-end">
            <Button onClick={props.onDone}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <FormFrame {...operation} submitLabel="Change schedule" onCancel={props.onClose}>
          <SchedulePicker {...form.getInputProps('schedule')} />
        </FormFrame>
      )}
    </Modal>
  )
}
