'use client'

import { Alert, Anchor, Code, List, Stack, Text } from '@mantine/core'
import { CircleX } from 'lucide-react'
import type { LastFailure as Failure } from '#server/schemas/services.ts'
import { Instant } from '../../../components/instant.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { actualText, expectedText } from '../../../components/runs/assertion-text.ts'

/** The latest failed run and what failed in it. */
export function LastFailure({ serviceId, failure }: { serviceId: string; failure: Failure }) {
  return (
    <Alert
      color="red"
      variant="light"
      icon={<CircleX size={18} aria-hidden />}
      title={failure.status === 'timeout' ? 'The latest failed run timed out' : 'The latest failed run'}
    >
      <Stack gap="xs">
        <Text size="sm">
          Started <Instant at={failure.startedAt} />.{' '}
          <Anchor
            component={Link}
            href={`/services/${serviceId}/results/${failure.resultId}`}
            inherit
            underline="always"
          >
            See the result
          </Anchor>
        </Text>
        {failure.error !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {failure.error}
          </Text>
        )}
        {failure.assertions.length > 0 && (
          <List size="sm" spacing={4}>
            {failure.assertions.map((assertion, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list of a run never changes
              <List.Item key={index}>
                Step {assertion.stepNum}: expected <Code>{expectedText(assertion)}</Code>, got{' '}
                <Code>{actualText(assertion)}</Code>
              </List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Alert>
  )
}
