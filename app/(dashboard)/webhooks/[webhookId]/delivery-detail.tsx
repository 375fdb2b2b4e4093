'use client'

import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../client/api.ts'
import { CodeBlock } from '../../../components/code-block.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'

/** What a delivery sent and what the receiver responded. */
export function DeliveryDetail({ id }: { id: string }) {
  const delivery = useQuery(query('organization.webhooks.deliveries.get', { id }))
  return (
    <Loaded query={delivery} rows={2}>
      {({ attempts, lastStatus, sentBody, responseBody }) =>
        attempts === 0 && sentBody === null ? (
          <Text size="sm" c="dimmed">
            The first attempt has not ended yet.
          </Text>
        ) : (
          <Stack gap="xs">
            <Body title="Sent" label="Body that was sent" text={sentBody} missing="Nothing was sent." />
            <Body
              title="Response"
              label="Body of the response"
              text={responseBody}
              missing={lastStatus === null ? 'There was no response.' : 'The response has no readable body.'}
            />
          </Stack>
        )
      }
    </Loaded>
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
