'use client'

import { Button, type ButtonProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ComponentPropsWithoutRef, lazy, Suspense, useState } from 'react'
import type { Hearing } from '#server/schemas/alerts/follows.ts'
import { query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { Bell as BellIcon, BellOff, BellRing } from '../icons.ts'
import type { Resource } from './bell-popover.tsx'

const BellPopover = lazy(async () => ({ default: (await import('./bell-popover.tsx')).BellPopover }))

const MaintenanceDialog = lazyDialog(
  async () => (await import('../maintenance/maintenance-dialog.tsx')).MaintenanceDialog,
)

/** The button on the page of a resource that says whether and why the member is notified of it; follows and mutes it. */
export function Bell(resource: Resource) {
  const [isUsed, setUsed] = useState(false)
  const [isMutingAll, setMutingAll] = useState(false)
  const hearing = useQuery(query('follows.get', resource))
  // The page's own requests say why nothing can be loaded.
  if (!hearing.data) return null
  const { icon: Icon, label } = stateOf(hearing.data)
  const button = (target: ButtonProps & ComponentPropsWithoutRef<'button'>) => (
    <Button variant="default" leftSection={<Icon size={16} aria-hidden />} {...target}>
      {label}
    </Button>
  )
  const closed = button({ 'aria-haspopup': 'dialog', 'aria-expanded': false, onClick: () => setUsed(true) })
  if (!isUsed) return closed
  return (
    <>
      <Suspense fallback={closed}>
        <BellPopover resource={resource} hearing={hearing.data} onMuteAll={() => setMutingAll(true)}>
          {button}
        </BellPopover>
      </Suspense>
      {isMutingAll && (
        <MaintenanceDialog
          {...resource}
          title={`Mute this ${resource.resourceType} for everybody`}
          submitLabel="Mute for everybody"
          onClose={() => setMutingAll(false)}
        />
      )}
    </>
  )
}

function stateOf({ heardThrough, heardWithin, silenced }: Hearing) {
  if (heardThrough.length === 0 && heardWithin === 0) return { icon: BellIcon, label: 'Alerts off' }
  if (silenced) return { icon: BellOff, label: 'Alerts muted' }
  return heardThrough.length > 0
    ? { icon: BellRing, label: 'Alerts on' }
    : { icon: BellIcon, label: 'Alerts partly on' }
}
