'use client'

import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { BulkSchedule } from '#server/schemas/bulk.ts'
import { SCHEDULE_DEFAULT } from '#server/schemas/services.ts'
import type { ToggleResult } from '#server/schemas/toggles.ts'
import { useOperationForm } from '../../../../client/use-operation-form.ts'
import { ProblemAlert } from '../../../../components/problem-alert.tsx'
import { ScheduleInput } from '../../../../components/schedule-input.tsx'
import { ToggleOutcome } from '../../../../components/switches/toggle-outcome.tsx'

export function BulkScheduleDialog(props: { ids: string[]; onClose: () => void; onDone: () => void }) {
  const [result, setResult] = useState<ToggleResult | null>(null)
  const { form, submit, isPending, error } = useOperationForm({
    path: 'services.bulk.setSchedule',
    schema: BulkSchedule,
    initialValues: { ids: props.ids, schedule: SCHEDULE_DEFAULT },
    onDone: setResult,
  })
  return (
    <Modal opened onClose={result ? props.onDone : props.onClose} title="Change the schedule" centered>
      {result ? (
        <Stack>
          <ToggleOutcome result={result} done="changed" />
          <Group justify="flex-end">
            <Button onClick={props.onDone}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack>
            <ProblemAlert error={error} />
            <ScheduleInput data-autofocus {...form.getInputProps('schedule')} />
            <Group justify="flex-end">
              <Button variant="default" onClick={props.onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={isPending}>
                Change schedule
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
