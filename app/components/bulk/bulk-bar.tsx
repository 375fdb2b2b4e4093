'use client'

import { Button } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import classes from './bulk-bar.module.css'
import type { BulkDialogProps } from './bulk-dialog.tsx'
import type { Selected } from './plan.ts'

type Dialog = ComponentType<BulkDialogProps<Selected>>

const SwitchDialog = lazyDialog(async () => (await import('./bulk-switch-dialog.tsx')).BulkSwitchDialog)

/** `name`: what screen readers say where the head of the table has a button with the same word. */
const ACTIONS: { label: string; name?: string; Dialog: Dialog; isDeletion?: true }[] = [
  { label: 'Switch on', Dialog: (props) => <SwitchDialog {...props} isActive /> },
  { label: 'Switch off', Dialog: (props) => <SwitchDialog {...props} isActive={false} /> },
  {
    label: 'Acknowledge',
    Dialog: lazyDialog(async () => (await import('./bulk-acknowledge-dialog.tsx')).BulkAcknowledgeDialog),
  },
  { label: 'Labels', Dialog: lazyDialog(async () => (await import('./bulk-label-dialog.tsx')).BulkLabelDialog) },
  {
    label: 'Schedule',
    name: 'Change schedule',
    Dialog: lazyDialog(async () => (await import('./bulk-schedule-dialog.tsx')).BulkScheduleDialog),
  },
  { label: 'Agents', Dialog: lazyDialog(async () => (await import('./bulk-agents-dialog.tsx')).BulkAgentsDialog) },
  { label: 'Move', Dialog: lazyDialog(async () => (await import('./bulk-move-dialog.tsx')).BulkMoveDialog) },
  {
    label: 'Delete',
    Dialog: lazyDialog(async () => (await import('./bulk-remove-dialog.tsx')).BulkRemoveDialog),
    isDeletion: true,
  },
]

/** The bulk actions for the selected services. It stands at the foot of the window, so that no row moves for it. */
export function BulkBar({ services, onDone }: { services: Selected[]; onDone: () => void }) {
  // The services as they were when the dialog opened: its summary must not change below the hand.
  const [open, setOpen] = useState<{ Dialog: Dialog; services: Selected[] } | null>(null)
  return (
    <>
      <div className={classes.bar} role="toolbar" aria-label="Selected services">
        <p className={classes.count} role="status">
          <b>{services.length} selected</b> <span className={classes.note}>Order is frozen meanwhile.</span>
        </p>
        <div className={classes.actions}>
          {ACTIONS.map(({ label, name, Dialog, isDeletion }) => (
            <Button
              key={label}
              size="xs"
              variant="default"
              aria-label={name}
              {...(isDeletion && { c: 'red' })}
              onClick={() => setOpen({ Dialog, services })}
            >
              {label}
            </Button>
          ))}
          <Button size="xs" variant="subtle" color="gray" onClick={onDone}>
            Clear selection
          </Button>
        </div>
      </div>
      {open && (
        <open.Dialog
          services={open.services}
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
