'use client'

import { Alert, Anchor, List, Stack, Text } from '@mantine/core'
import { CircleX } from 'lucide-react'
import { describeFailedAssertion } from '#server/schemas/results/assertion-text.ts'
import type { LastFailure as Failure } from '#server/schemas/results/failures.ts'
import { Instant } from '../../../components/instant.tsx'
import { Link } from '../../../components/layout/link.tsx'

/** The latest failed run and what failed in it. */
export function LastFailure({ serviceId, failure }: { serviceId: string; failure: Failure }) {
  // The summary describes a single assertion completely.
  const further = failure.assertions.length > 1 || failure.error !== null ? failure.assertions : []
  const omitted = failure.assertionsTotal - failure.assertions.length
  return (
    <Alert
      color="red"
      variant="light"
      icon={<CircleX size={18} aria-hidden />}
      title={failure.status === 'timeout' ? 'The latest failed run timed out' : 'The latest failed run'}
    >
      <Stack gap="xs">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {failure.summary}
        </Text>
        {further.length > 0 && (
          <List size="sm" spacing={4}>
            {further.map((assertion, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list of a run never changes
              <List.Item key={index} style={{ overflowWrap: 'anywhere' }}>
                Step {assertion.stepNum}: {describeFailedAssertion(assertion)}
              </List.Item>
            ))}
          </List>
        )}
        {omitted > 0 && <Text size="sm">{omitted} more assertions failed. The result lists all of them.</Text>}
        <Text size="sm">
          Started <Instant at={failure.startedAt} />.{' '}
          <Anchor
            component={Link}
            href={`/services/${serviceId}/results/${failure.resultId}`}
            inherit
            underline="always"
          >
            See the result
          </Anchor>{' '}
          or{' '}
          <Anchor
            component={Link}
            href={`/services/${serviceId}/results/${failure.resultId}?compare=passing`}
            inherit
            underline="always"
          >
            compare it with the last passing run
          </Anchor>
        </Text>
      </Stack>
    </Alert>
  )
}
