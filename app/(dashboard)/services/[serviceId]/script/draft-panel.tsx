'use client'

import { Accordion, Alert, Badge, Button, Code, Group, List, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import type { DraftResult, DraftRun } from '#server/schemas/new-service/drafts.ts'
import { actualText, expectedText } from '#server/schemas/results/assertion-text.ts'
import { CodeBlock } from '../../../../components/code-block.tsx'
import { bytesText, millisecondsText } from '../../../../components/numbers.ts'
import { FailureCause } from '../../../../components/runs/failure-cause.tsx'
import { StatusBadge } from '../../../../components/runs/status-badge.tsx'

/** The last run of the draft: its progress, then its result. Nothing of it is counted or stored with the service. */
export function DraftPanel({ draft, onClose }: { draft: DraftRun | null; onClose: () => void }) {
  const result = draft?.result
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="draft-run" miw={0}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Group gap="xs">
            <Title order={2} fz="md" id="draft-run">
              Draft run
            </Title>
            {result && <StatusBadge status={result.status} />}
          </Group>
          <Button size="compact-sm" variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
        <div aria-live="polite">{!result && <Progress state={draft?.state ?? 'queued'} />}</div>
        {result && <Outcome result={result} />}
      </Stack>
    </Paper>
  )
}

function Progress({ state }: { state: DraftRun['state'] }) {
  if (state === 'lost' || state === 'done') {
    return (
      <Alert color="red" variant="light">
        The draft did not run to its end: no agent took it, or the agent stopped. Try again.
      </Alert>
    )
  }
  return (
    <Group gap="xs">
      <Loader size="xs" />
      <Text size="sm">{state === 'running' ? 'Running…' : 'Waiting for an agent…'}</Text>
    </Group>
  )
}

function Outcome({ result }: { result: DraftResult }) {
  const writes = Object.entries(variablesOf(result))
  return (
    <>
      <Text size="sm" c="dimmed">
        Took {millisecondsText(result.runDurationMs)} on {result.agentSlug}. It changed no metric, alert or variable.
      </Text>
      {result.failure && <FailureCause failure={result.failure} />}
      {result.steps.map((step) => (
        <Step key={step.id} step={step} body={result.bodies.find(({ stepId }) => stepId === step.id)} />
      ))}
      {writes.length > 0 && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          A saved script would write:{' '}
          {writes.map(([name, value]) => (
            <Code key={name}>
              {name} = {typeof value === 'string' ? value : JSON.stringify(value)}
            </Code>
          ))}
        </Text>
      )}
    </>
  )
}

function Step({ step, body }: { step: DraftResult['steps'][number]; body: DraftResult['bodies'][number] | undefined }) {
  const headerCount = Object.keys(step.headers).length
  return (
    <Stack gap="xs" id={`step-${step.stepNum}`}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }} flex={1} miw={0}>
          Step {step.stepNum}: <Code>{step.requestUrl ?? 'skipped'}</Code>
        </Text>
        {step.statusCode !== null && (
          <Badge variant="light" color={step.statusCode < 400 ? 'teal' : 'red'}>
            {step.statusCode}
          </Badge>
        )}
      </Group>
      {step.responseTimeMs !== null && (
        <Text size="xs" c="dimmed">
          {millisecondsText(step.responseTimeMs)} · {bytesText(step.responseSizeBytes)}
        </Text>
      )}
      {step.error && (
        <Text size="sm" c="red" style={{ overflowWrap: 'anywhere' }}>
          {step.error}
        </Text>
      )}
      {step.assertionResults.length > 0 && <Assertions assertions={step.assertionResults} />}
      {(headerCount > 0 || body) && (
        <Accordion variant="contained" order={3} multiple chevronPosition="left">
          {headerCount > 0 && (
            <Accordion.Item value="headers">
              <Accordion.Control>Response headers ({headerCount})</Accordion.Control>
              <Accordion.Panel>
                <CodeBlock text={headerText(step.headers)} label="Response headers" wrap />
              </Accordion.Panel>
            </Accordion.Item>
          )}
          {body && (
            <Accordion.Item value="body">
              <Accordion.Control>Response body{body.isCut ? ' (its start)' : ''}</Accordion.Control>
              <Accordion.Panel>
                <CodeBlock
                  text={body.encoding ? `Binary, as base64:\n${body.content}` : body.content}
                  label="Response body"
                  wrap
                />
              </Accordion.Panel>
            </Accordion.Item>
          )}
        </Accordion>
      )}
    </Stack>
  )
}

/** A list, because the panel is too narrow for the table of the result page. */
function Assertions({ assertions }: { assertions: DraftResult['steps'][number]['assertionResults'] }) {
  return (
    <List size="sm" listStyleType="none" aria-label="Assertions">
      {assertions.map((assertion, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the assertions of a result never change
        <List.Item key={index} style={{ overflowWrap: 'anywhere' }}>
          <Badge size="sm" variant="light" color={COLORS[assertion.outcome] ?? 'gray'}>
            {assertion.outcome}
          </Badge>{' '}
          .{assertion.method} <Code>{expectedText(assertion)}</Code>, actual <Code>{actualText(assertion)}</Code>
        </List.Item>
      ))}
    </List>
  )
}

const COLORS: Record<string, string> = { passed: 'teal', failed: 'red' }

function headerText(headers: DraftResult['steps'][number]['headers']): string {
  return Object.entries(headers)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`))
    .join('\n')
}

/** The values that the script would write back, from the language's result. */
function variablesOf({ rawResult }: DraftResult): Record<string, unknown> {
  const actions = rawResult?.actions as { variables?: Record<string, unknown> } | undefined
  return actions?.variables ?? {}
}
