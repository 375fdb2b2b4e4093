'use client'

import { Button, Group } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { NAME_MAX } from '#server/schemas/conventions.ts'
import type { Service } from '#server/schemas/services.ts'
import type { Output } from '../../../../client/api.ts'
import { lazyDialog } from '../../../../client/lazy-dialog.ts'
import { notify } from '../../../../client/notify.ts'
import { NameDialog } from '../../../../components/forms/name-dialog.tsx'
import { Copy } from '../../../../components/icons.ts'
import { Section } from '../../../../components/layout/section.tsx'
import { FolderInput } from '../../../icons.ts'

const BulkMoveDialog = lazyDialog(
  async () => (await import('../../../../components/bulk/bulk-move-dialog.tsx')).BulkMoveDialog,
)

/** Duplicates the service in its project, or moves it to another one. */
export function CopySection({ service }: { service: Service }) {
  const router = useRouter()
  const [openDialog, setOpenDialog] = useState<'duplicate' | 'move' | null>(null)
  const close = () => setOpenDialog(null)
  const openCopy = ({ service: copy, omittedSecrets }: Output<'services.duplicate'>) => {
    if (omittedSecrets.length > 0) {
      notify({ message: `Secrets are not copied. Set them in the new service: ${omittedSecrets.join(', ')}.` })
    }
    router.push(`/services/${copy.id}/script`)
  }
  return (
    <Section
      title="Duplicate or move"
      intro="A duplicate has the same script, settings, agents and variables, but no secrets and no results. It starts switched off."
    >
      <Group>
        <Button
          variant="default"
          leftSection={<Copy size={15} aria-hidden />}
          onClick={() => setOpenDialog('duplicate')}
        >
          Duplicate
        </Button>
        <Button
          variant="default"
          leftSection={<FolderInput size={15} aria-hidden />}
          onClick={() => setOpenDialog('move')}
        >
          Move
        </Button>
      </Group>
      {openDialog === 'duplicate' && (
        <NameDialog
          path="services.duplicate"
          title="Duplicate service"
          submitLabel="Duplicate"
          initialName={`Copy of ${service.name}`.slice(0, NAME_MAX)}
          toInput={(name) => ({ id: service.id, name })}
          onClose={close}
          onDone={openCopy}
        />
      )}
      {openDialog === 'move' && (
        <BulkMoveDialog
          services={[{ id: service.id, name: service.name, projectId: service.projectId }]}
          onClose={close}
          onDone={close}
        />
      )}
    </Section>
  )
}
