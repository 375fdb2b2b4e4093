'use client'

import { Button, Group, Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation } from '../../../../client/api.ts'
import { ConfirmRemoval } from '../../../../components/confirm-removal.tsx'
import { SwitchDialog } from '../../../../components/switches/switch-dialog.tsx'
import { BulkMoveDialog } from './bulk-move-dialog.tsx'
import { BulkScheduleDialog } from './bulk-schedule-dialog.tsx'

type OpenDialog = 'on' | 'off' | 'schedule' | 'move' | 'remove' | null

/** What can be done with the services that are chosen: to all of them, or to none. */
export function BulkBar({ ids, onDone }: { ids: string[]; onDone: () => void }) {
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null)
  const remove = useMutation({
    ...mutation('services.bulk.remove'),
    onSuccess: () => {
      setOpenDialog(null)
      onDone()
    },
  })
  const finish = () => {
    setOpenDialog(null)
    onDone()
  }
  const close = () => setOpenDialog(null)
  const count = ids.length === 1 ? 'one service' : `${ids.length} services`
  return (
    <Paper withBorder px="md" py="xs" role="toolbar" aria-label="Chosen services">
      <Group gap="xs">
        <Text size="sm" fw={600} mr="sm">
          {ids.length} chosen
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
        <Button size="xs" variant="default" onClick={() => setOpenDialog('move')}>
          Move
        </Button>
        <Button size="xs" variant="default" c="red" onClick={() => setOpenDialog('remove')}>
          Delete
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onDone}>
          Choose none
        </Button>
      </Group>
      {(openDialog === 'on' || openDialog === 'off') && (
        <SwitchDialog
          path="services.bulk.toggle"
          input={{ ids, isActive: openDialog === 'on' }}
          title={`Switch ${openDialog}`}
          submitLabel={`Switch them ${openDialog}`}
          onClose={close}
          onDone={finish}
        >
          {ids.length === 1 ? 'The chosen service is' : `The ${ids.length} chosen services are`} switched {openDialog},
          in one step.
        </SwitchDialog>
      )}
      {openDialog === 'schedule' && <BulkScheduleDialog ids={ids} onClose={close} onDone={finish} />}
      {openDialog === 'move' && <BulkMoveDialog ids={ids} onClose={close} onDone={finish} />}
      <ConfirmRemoval
        opened={openDialog === 'remove'}
        onClose={close}
        title={`Delete ${count}`}
        warning="Their scripts, variables and results go with them. This cannot be undone."
        submitLabel={`Delete ${count}`}
        confirmationText={String(ids.length)}
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ ids })}
      />
    </Paper>
  )
}
