'use client'

import { Accordion, Alert, Badge, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ResultStep } from '#server/schemas/results/results.ts'
import { bytesText, millisecondsText } from '../../../../../components/numbers.ts'
import { AssertionTable } from './assertion-table.tsx'
import { HeaderTable } from './header-table.tsx'
import { StepBody } from './step-body.tsx'
import { Waterfall } from './waterfall.tsx'

type Props = {
  serviceId: string
  resultId: string
  step: ResultStep
  method: string | null
  /** Shown if the step made no request. */
  skippedText: string
}

export function StepCard(props: Props) {
  const { step } = props
  const id = `step-${step.stepNum}`
  const failed = step.assertionResults.filter((assertion) => assertion.outcome === 'failed').length
  const headerCount = Object.keys(step.headers).length
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} aria-labelledby={id}>
      <Stack>
        <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
          <Stack gap={4} miw={0}>
            <Title order={3} fz="md" id={id}>
              Step {step.stepNum}
            </Title>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {step.requestUrl === null ? (
                step.error === null ? (
                  props.skippedText
                ) : (
                  'No request was sent.'
                )
              ) : (
                <>
                  {props.method && <strong>{props.method} </strong>}
                  <Code>{step.requestUrl}</Code>
                </>
              )}
            </Text>
          </Stack>
          {step.statusCode !== null && (
            <Badge size="lg" variant="light" color={step.statusCode < 400 ? 'teal' : 'red'}>
              {step.statusCode}
            </Badge>
          )}
        </Group>
        {step.error && (
          <Alert color="red" variant="light">
            {step.error}
          </Alert>
        )}
        {step.responseTimeMs !== null && (
          <Text size="sm" c="dimmed">
            {millisecondsText(step.responseTimeMs)} · {bytesText(step.responseSizeBytes)}
          </Text>
        )}
        <Waterfall step={step} />
        {step.assertionResults.length > 0 && <AssertionTable assertions={step.assertionResults} />}
        {(headerCount > 0 || step.statusCode !== null) && (
          <Accordion variant="contained" order={4} multiple chevronPosition="left">
            {headerCount > 0 && (
              <Accordion.Item value="headers">
                <Accordion.Control>Response headers ({headerCount})</Accordion.Control>
                <Accordion.Panel>
                  <HeaderTable headers={step.headers} />
                </Accordion.Panel>
              </Accordion.Item>
            )}
            {step.statusCode !== null && (
              <Accordion.Item value="body">
                <Accordion.Control>Response body</Accordion.Control>
                <Accordion.Panel>
                  <StepBody {...props} />
                </Accordion.Panel>
              </Accordion.Item>
            )}
          </Accordion>
        )}
        {failed > 0 && (
          <Text size="sm" c="red">
            {failed === 1 ? '1 assertion failed.' : `${failed} assertions failed.`}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
