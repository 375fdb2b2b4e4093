'use client'

import { Badge, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WebhookAttempt } from '#server/schemas/organization/webhooks.ts'
import { query } from '../../../client/api.ts'
import { CodeBlock } from '../../../components/code-block.tsx'
import { useDateTimeText } from '../../../components/instant.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { millisecondsText } from '../../../components/numbers.ts'

/** Every attempt of a delivery with the response, and what was sent. */
export function DeliveryDetail({ id }: { id: string }) {
  const delivery = useQuery(query('organization.webhooks.deliveries.get', { id }))
  return (
    <Loaded query={delivery} rows={2}>
      {({ state, log, sentBody }) =>
        log.length === 0 ? (
          <Text size="sm" c="dimmed">
            {state === 'pending' ? 'No attempt has ended yet.' : 'Nothing was sent.'}
          </Text>
        ) : (
          <Stack gap="sm">
            <Title order={3} fz="sm">
              Attempts, newest first
            </Title>
            {log.map((attempt) => (
              <Attempt key={attempt.id} attempt={attempt} />
            ))}
            <Body title="Sent" label="Body that was sent" text={sentBody} missing="Nothing was sent." />
          </Stack>
        )
      }
    </Loaded>
  )
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const { startedAt, status, error, latencyMs, responseBody } = attempt
  const at = useDateTimeText()(startedAt)
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge variant="light" color={error === null ? 'teal' : 'red'}>
          {status ?? 'No response'}
        </Badge>
        <Text size="sm">{at}</Text>
        <Text size="sm" c="dimmed">
          {millisecondsText(latencyMs)}
        </Text>
      </Group>
      {error && (
        <Text size="sm" c="red" style={{ overflowWrap: 'anywhere' }}>
          {error}
        </Text>
      )}
      {responseBody ? (
        <CodeBlock label={`Body of the response of ${at}`} text={responseBody} wrap />
      ) : (
        status !== null && (
          <Text size="sm" c="dimmed">
            The response has no readable body.
          </Text>
        )
      )}
    </Stack>
  )
}

function Body({ title, label, text, missing }: { title: string; label: string; text: string | null; missing: string }) {
  return (
    <div>
      <Title order={3} fz="sm" mb={4}>
        {title}
      </Title>
      {text ? (
        <CodeBlock label={label} text={text} wrap />
      ) : (
        <Text size="sm" c="dimmed">
          {missing}
        </Text>
      )}
    </div>
  )
}
