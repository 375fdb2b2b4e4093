'use client'

import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation } from '../../../client/api.ts'
import { ConfirmRemoval } from '../../../components/forms/confirm-removal.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { SigningSecret } from '../signing-secret.tsx'

export function SecretSection({ id }: { id: string }) {
  const [isConfirming, setConfirming] = useState(false)
  const rotate = useMutation({
    ...mutation('organization.webhooks.rotateSecret'),
    onSuccess: () => setConfirming(false),
  })
  return (
    <Section title="Signing secret" intro="Receivers use it to verify the signature of a message.">
      {rotate.data && <SigningSecret secret={rotate.data.signingSecret} />}
      <Group>
        <Button variant="default" onClick={() => setConfirming(true)}>
          Create a new secret
        </Button>
      </Group>
      <ConfirmRemoval
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Create a new signing secret"
        warning="Messages are signed with the new secret from now on. Receivers refuse them until they have it."
        submitLabel="Create a new secret"
        mutation={rotate}
        onConfirm={() => rotate.mutate({ id })}
      />
    </Section>
  )
}
