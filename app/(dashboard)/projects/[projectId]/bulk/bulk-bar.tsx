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
const BulkMoveDialog = lazyDialog(
  async () => (await import('../../../../components/bulk/bulk-move-dialog.tsx')).BulkMoveDialog,
)
const BulkScheduleDialog = lazyDialog(async () => (await import('./bulk-schedule-dialog.tsx')).BulkScheduleDialog)

type Action = 'on' | 'off' | 'schedule' | 'label' | 'move' | 'remove'

const ACTIONS: { action: Action; label: string }[] = [
  { action: 'on', label: 'Switch on' },
  { action: 'off', label: 'Switch off' },
  { action: 'schedule', label: 'Change schedule' },
  { action: 'label', label: 'Change label' },
  { action: 'move', label: 'Move' },
  { action: 'remove', label: 'Delete' },
]

/** The bulk actions for the selected services, shown while some are selected. */
export function BulkBar({ ids, onDone }: { ids: string[]; onDone: () => void }) {
  // The services at the time the dialog opened: those that it moves leave the table before it has said so.
  const [open, setOpen] = useState<{ action: Action; ids: string[] } | null>(null)
  return (
    <>
      {ids.length > 0 && (
        <Paper withBorder px="md" py="xs" role="toolbar" aria-label="Selected services">
          <Group gap="xs">
            <Text size="sm" fw={600} mr="sm">
              {ids.length} selected
            </Text>
            {ACTIONS.map(({ action, label }) => (
              <Button
                key={action}
                size="xs"
                variant="default"
                {...(action === 'remove' && { c: 'red' })}
                onClick={() => setOpen({ action, ids })}
              >
                {label}
              </Button>
            ))}
            <Button size="xs" variant="subtle" color="gray" onClick={onDone}>
              Clear selection
            </Button>
          </Group>
        </Paper>
      )}
      {open && (
        <ActionDialog
          {...open}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null)
            onDone()
          }}
        />
      )}
    </>
  )
}

type DialogProps = { ids: string[]; onClose: () => void; onDone: () => void }

function ActionDialog({ action, ...dialog }: DialogProps & { action: Action }) {
  if (action === 'schedule') return <BulkScheduleDialog {...dialog} />
  if (action === 'label') return <BulkLabelDialog {...dialog} />
  if (action === 'move') return <BulkMoveDialog {...dialog} />
  if (action === 'remove') return <RemovalDialog {...dialog} />
  const { ids } = dialog
  return (
    <SwitchDialog
      {...dialog}
      path="services.bulk.toggle"
      input={{ ids, isActive: action === 'on' }}
      title={`Switch ${action}`}
      submitLabel={`Switch ${countText(ids)} ${action}`}
    >
      This switches {ids.length === 1 ? 'the selected service' : `the ${ids.length} selected services`} {action}.
    </SwitchDialog>
  )
}

function RemovalDialog({ ids, onClose, onDone }: DialogProps) {
  const remove = useMutation({ ...mutation('services.bulk.remove'), onSuccess: onDone })
  return (
    <ConfirmRemoval
      opened
      onClose={onClose}
      title={`Delete ${countText(ids)}`}
      warning="This also deletes their scripts, variables and results. You can restore them for seven days, under Recently deleted."
      submitLabel={`Delete ${countText(ids)}`}
      confirmationText={String(ids.length)}
      mutation={remove}
      onConfirm={() => remove.mutate({ ids })}
    />
  )
}

function countText({ length }: string[]): string {
  return length === 1 ? '1 service' : `${length} services`
}
