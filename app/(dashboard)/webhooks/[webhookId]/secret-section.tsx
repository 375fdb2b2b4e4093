'use client'

import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation } from '../../../client/api.ts'
import { ConfirmRemoval } from '../../../components/forms/confirm-removal.tsx'
import { useDateTimeText } from '../../../components/instant.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { SigningSecret } from '../signing-secret.tsx'

export function SecretSection({ id, previousUntil }: { id: string; previousUntil: string | null }) {
  const dateTimeText = useDateTimeText()
  const [isConfirming, setConfirming] = useState(false)
  const rotate = useMutation({
    ...mutation('organization.webhooks.rotateSecret'),
    onSuccess: () => setConfirming(false),
  })
  return (
    <Section title="Signing secret" intro="Receivers use it to verify the signature of a message.">
      {rotate.data && <SigningSecret secret={rotate.data.signingSecret} />}
      {previousUntil && (
        <Text size="sm">
          Until {dateTimeText(previousUntil)}, messages are signed with the previous secret too. Then only the new one
          is valid.
        </Text>
      )}
      <Group>
        <Button variant="default" onClick={() => setConfirming(true)}>
          Create a new secret
        </Button>
      </Group>
      <ConfirmRemoval
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Create a new signing secret"
        warning={
          previousUntil
            ? 'For 24 hours messages are signed with the new secret and with the current one. The previous secret, which is still valid, stops working now.'
            : 'For 24 hours messages are signed with both secrets. Give the new one to your receivers in this time.'
        }
        submitLabel="Create a new secret"
        mutation={rotate}
        onConfirm={() => rotate.mutate({ id })}
      />
    </Section>
  )
}
