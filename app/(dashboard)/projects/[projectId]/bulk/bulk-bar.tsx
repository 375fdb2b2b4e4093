'use client'

import { Button, Group, Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation } from '../../../../client/api.ts'
import { lazyDialog } from '../../../../client/lazy-dialog.ts'
import { ConfirmRemoval } from '../../../../components/forms/confirm-removal.tsx'

const SwitchDialog = lazyDialog(
  async () => (await import('../../../../components/switches/switch-dialog.tsx')).SwitchDialog,
)
const BulkLabelDialog = lazyDialog(async () => (await import('./bulk-label-dialog.tsx')).BulkLabelDialog)
const BulkMoveDialog = lazyDialog(async () => (await import('./bulk-move-dialog.tsx')).BulkMoveDialog)
const BulkScheduleDialog = lazyDialog(async () => (await import('./bulk-schedule-dialog.tsx')).BulkScheduleDialog)

type OpenDialog = 'on' | 'off' | 'schedule' | 'label' | 'move' | 'remove' | null

/** The bulk actions for the selected services. Each changes all of them or none. */
export function BulkBar({ ids, onDone }: { ids: string[]; onDone: () => void }) {
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null)
  const remove = useMutation({
    ...mutation('services.bulk.remove'),
    onSuccess: () => finish(),
  })
  const finish = () => {
    setOpenDialog(null)
    onDone()
  }
  const close = () => setOpenDialog(null)
  const onOrOff = openDialog === 'on' || openDialog === 'off' ? openDialog : null
  const count = ids.length === 1 ? '1 service' : `${ids.length} services`
  return (
    <Paper withBorder px="md" py="xs" role="toolbar" aria-label="Selected services">
      <Group gap="xs">
        <Text size="sm" fw={600} mr="sm">
          {ids.length} selected
        </Text>
        <Button size="xs" variant="default" onClick={() => setOpenDialog('on')}>
          Switch on
        </Button>
        <Button size="xs" variant="default" onClick={() => setOpenDialog('off')}>
          Switch off
        </Button>
        <Button size="xs" variant="default" onClick={() => setOpenDialog('schedule')}>
          Change schedule
        </Button>
        <Button size="xs" variant="default" onClick={() => setOpenDialog('label')}>
          Change label
        </Button>
        <Button size="xs" variant="default" onClick={() => setOpenDialog('move')}>
          Move
        </Button>
        <Button size="xs" variant="default" c="red" onClick={() => setOpenDialog('remove')}>
          Delete
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onDone}>
          Clear selection
        </Button>
      </Group>
      {onOrOff && (
        <SwitchDialog
          path="services.bulk.toggle"
          input={{ ids, isActive: onOrOff === 'on' }}
          title={`Switch ${onOrOff}`}
          submitLabel={`Switch ${count} ${onOrOff}`}
          onClose={close}
          onDone={finish}
        >
          This switches {ids.length === 1 ? 'the selected service' : `the ${ids.length} selected services`} {onOrOff}.
        </SwitchDialog>
      )}
      {openDialog === 'schedule' && <BulkScheduleDialog ids={ids} onClose={close} onDone={finish} />}
      {openDialog === 'label' && <BulkLabelDialog ids={ids} onClose={close} onDone={finish} />}
      {openDialog === 'move' && <BulkMoveDialog ids={ids} onClose={close} onDone={finish} />}
      <ConfirmRemoval
        opened={openDialog === 'remove'}
        onClose={close}
        title={`Delete ${count}`}
        warning="This also deletes their scripts, variables and results. You can restore them for seven days, under Recently deleted."
        submitLabel={`Delete ${count}`}
        confirmationText={String(ids.length)}
        mutation={remove}
        onConfirm={() => remove.mutate({ ids })}
      />
    </Paper>
  )
}
