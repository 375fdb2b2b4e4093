'use client'

import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation } from '../../../client/api.ts'
import { ConfirmRemoval } from '../../../components/confirm-removal.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { SigningSecret } from '../signing-secret.tsx'

export function SecretSection({ id }: { id: string }) {
  const [isConfirming, setConfirming] = useState(false)
  const rotate = useMutation({
    ...mutation('organization.webhooks.rotateSecret'),
    onSuccess: () => setConfirming(false),
  })
  return (
    <Section title="Signing secret" intro="What receivers check the signature of a message with.">
      {rotate.data && <SigningSecret secret={rotate.data.signingSecret} />}
      <Group>
        <Button variant="default" onClick={() => setConfirming(true)}>
          Make a new secret
        </Button>
      </Group>
      <ConfirmRemoval
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Make a new signing secret"
        warning="The secret there is now stops counting at once: receivers refuse messages until they have the new one."
        submitLabel="Make a new secret"
        isPending={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate({ id })}
      />
    </Section>
  )
}
