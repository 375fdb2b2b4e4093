'use client'

import { useState } from 'react'
import { SCHEDULE_DEFAULT } from '#server/schemas/services.ts'
import { mutation } from '../../client/api.ts'
import { SchedulePicker } from '../schedules/schedule-picker.tsx'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'
import { judgeSchedule, planOf, type Selected } from './plan.ts'
import { undoOf } from './undo.ts'

export function BulkScheduleDialog(props: BulkDialogProps<Selected>) {
  const { services } = props
  const [schedule, setSchedule] = useState<string>(SCHEDULE_DEFAULT)
  const [timezone, setTimezone] = useState('')
  return (
    <BulkDialog
      {...props}
      title="Change schedule"
      plan={planOf(services, judgeSchedule(schedule, timezone))}
      submitLabel="Change schedule"
      done="changed"
      send={async () => {
        const input = { ids: services.map(({ id }) => id), schedule, timezone }
        const result = await mutation('services.bulk.setSchedule').mutationFn(input)
        return { result, undo: undoOf(result) }
      }}
    >
      <SchedulePicker
        value={schedule}
        data-autofocus
        onChange={setSchedule}
        timezone={{ none: 'Of each service', value: timezone, onChange: setTimezone }}
      />
    </BulkDialog>
  )
}
