'use client'

import { Alert, Anchor, Code, List, Stack, Text } from '@mantine/core'
import { CircleX } from 'lucide-react'
import type { LastFailure as Failure } from '#server/schemas/services.ts'
import { Instant } from '../../../components/instant.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { actualText, expectedText } from '../../../components/runs/assertion-text.ts'

/** What went wrong in the latest failing run. */
export function LastFailure({ serviceId, failure }: { serviceId: string; failure: Failure }) {
  return (
    <Alert
      color="red"
      variant="light"
      icon={<CircleX size={18} aria-hidden />}
      title={failure.status === 'timeout' ? 'The latest failing run ran out of time' : 'The latest failing run'}
    >
      <Stack gap="xs">
        <Text size="sm">
          <Instant at={failure.startedAt} />.{' '}
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
              // biome-ignore lint/suspicious/noArrayIndexKey: the list of one run never changes
              <List.Item key={index}>
                Step {assertion.stepNum}: wanted <Code>{expectedText(assertion)}</Code>, found{' '}
                <Code>{actualText(assertion)}</Code>
              </List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Alert>
  )
}
