'use client'

import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Service } from '#server/schemas/services.ts'
import { mutation } from '../../../../client/api.ts'
import { showUndo } from '../../../../components/deletions/show-undo.tsx'
import { ConfirmRemoval } from '../../../../components/forms/confirm-removal.tsx'
import { Trash2 } from '../../../../components/icons.ts'
import { Section } from '../../../../components/layout/section.tsx'

export function DeleteSection({ service }: { service: Service }) {
  const router = useRouter()
  const [isConfirming, setConfirming] = useState(false)
  const remove = useMutation({
    ...mutation('services.remove'),
    onSuccess: () => {
      showUndo(service)
      router.push(`/projects/${service.projectId}`)
    },
  })
  return (
    <Section
      title="Delete"
      intro="This also deletes its script, variables and results. You can restore it for seven days."
    >
      <Group>
        <Button
          variant="default"
          c="red"
          leftSection={<Trash2 size={15} aria-hidden />}
          onClick={() => setConfirming(true)}
        >
          Delete service
        </Button>
      </Group>
      <ConfirmRemoval
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Delete service"
        warning="You can restore it for seven days, under Recently deleted."
        submitLabel="Delete service"
        confirmationText={service.name}
        mutation={remove}
        onConfirm={() => remove.mutate({ id: service.id })}
      />
    </Section>
  )
}
