'use client'

import { Alert, Button, Code, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import type { DraftResult, DraftRun } from '#server/schemas/new-service/drafts.ts'
import { DraftSteps } from '../../../../components/drafts/draft-steps.tsx'
import { millisecondsText } from '../../../../components/numbers.ts'
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
        The draft run did not finish: no agent picked it up, or the agent stopped. Try again.
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
        Took {millisecondsText(result.runDurationMs)} on {result.agentSlug}. Draft runs do not affect metrics, alerts or
        variables.
      </Text>
      {/* The failing step is open, with its body. */}
      {result.failure && <FailureCause failure={{ ...result.failure, excerpt: null }} />}
      <DraftSteps result={result} />
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

/** The values that the script would write back, from the language's result. */
function variablesOf({ rawResult }: DraftResult): Record<string, unknown> {
  const actions = rawResult?.actions as { variables?: Record<string, unknown> } | undefined
  return actions?.variables ?? {}
}
