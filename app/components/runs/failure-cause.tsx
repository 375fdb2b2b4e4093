'use client'

import { Alert, Anchor, Code, Stack, Text } from '@mantine/core'
import { actualText, expectedText, phaseText } from '#server/schemas/results/assertion-text.ts'
import type { RunFailure } from '#server/schemas/results/failures.ts'
import { CodeBlock } from '../code-block.tsx'
import { CircleX } from '../icons.ts'
import styles from './calm.module.css'

/**
 * Why a run failed: its summary, what was expected, and the start of the response. `resultHref` is the result's page,
 * unless this is that page. `isCalm`: the failure counts nowhere.
 */
export function FailureCause(props: { failure: RunFailure; resultHref?: string; isCalm?: boolean }) {
  const { failure, resultHref = '', isCalm = false } = props
  const title = failure.status === 'timeout' ? 'The run timed out' : 'The run failed'
  const { step, assertion, phase, excerpt } = failure
  return (
    <Alert
      color="red"
      variant="light"
      icon={<CircleX size={18} aria-hidden />}
      title={isCalm ? `${title}, and counts nowhere` : title}
      className={isCalm ? styles.calm : undefined}
    >
      <Stack gap="xs">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {failure.summary}
        </Text>
        {assertion && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Expected <Code>{expectedText(assertion)}</Code>, actual <Code>{actualText(assertion)}</Code>
          </Text>
        )}
        {phase && <Text size="sm">Timed out during: {phaseText(phase)}</Text>}
        {excerpt !== null && (
          <Stack gap={4}>
            <Text size="sm">The response body starts with:</Text>
            <CodeBlock text={excerpt} label="Start of the response body" wrap />
          </Stack>
        )}
        {step && (
          <Anchor href={`${resultHref}#step-${step.stepNum}`} size="sm" underline="always">
            Go to step {step.stepNum}
          </Anchor>
        )}
      </Stack>
    </Alert>
  )
}
