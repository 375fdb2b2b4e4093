'use client'

import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { mutation, query } from '../../client/api.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { SigningSecret } from './signing-secret.tsx'

type Props = {
  id: string
  name: string
  /** Shown once; null for a preset. */
  signingSecret: string | null
  onDone: () => void
}

/** Follows the creation of a webhook: its secret, and a test message with what the receiver responded. */
export function CreatedWebhook({ id, name, signingSecret, onDone }: Props) {
  const test = useMutation(mutation('organization.webhooks.test'))
  return (
    <Modal
      opened
      onClose={onDone}
      title="Webhook created"
      centered
      closeOnClickOutside={false}
      closeOnEscape={signingSecret === null}
      withCloseButton={signingSecret === null}
    >
      <Stack>
        {signingSecret !== null && <SigningSecret secret={signingSecret} />}
        <Text size="sm">Send a test message, to see that it arrives at {name}.</Text>
        <ProblemAlert error={test.error} />
        {test.data && <TestOutcome id={test.data.id} />}
        <Group justify="flex-end">
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ id })}>
            Send a test
          </Button>
          <Button onClick={onDone}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function TestOutcome({ id }: { id: string }) {
  const delivery = useQuery({
    ...query('organization.webhooks.deliveries.get', { id }),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? 1_000 : false),
  })
  const { state = 'pending', attempts = 0, lastStatus = null, lastError = null } = delivery.data ?? {}
  if (state === 'delivered')
    return (
      <Text size="sm" role="status">
        The test message was delivered: the receiver responded with {lastStatus}.
      </Text>
    )
  if (attempts === 0)
    return (
      <Text size="sm" role="status" c="dimmed">
        The test message is being sent…
      </Text>
    )
  return (
    <Text size="sm" role="status" c="red">
      The test message was not delivered: {lastError}. It is sent again while it fails.
    </Text>
  )
}
