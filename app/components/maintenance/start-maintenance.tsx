'use client'

import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { Wrench } from '../icons.ts'

const MaintenanceDialog = lazyDialog(async () => (await import('./maintenance-dialog.tsx')).MaintenanceDialog)

/** The button that starts a maintenance, on the page of a resource that the member may change. */
export function StartMaintenance(resource: { resourceType: ResourceType; resourceId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<Wrench size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Start maintenance
      </Button>
      {isOpen && (
        <MaintenanceDialog
          {...resource}
          title={`Maintenance of this ${resource.resourceType}`}
          submitLabel="Start maintenance"
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
