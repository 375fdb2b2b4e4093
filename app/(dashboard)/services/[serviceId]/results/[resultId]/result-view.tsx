'use client'

import { Alert, Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { query } from '../../../../../client/api.ts'
import { dateTimeText, Instant } from '../../../../../components/instant.tsx'
import { Link } from '../../../../../components/layout/link.tsx'
import { Loaded } from '../../../../../components/lists/loaded.tsx'
import { millisecondsText } from '../../../../../components/numbers.ts'
import { StatusBadge } from '../../../../../components/runs/status-badge.tsx'
import { RawResult } from './raw-result.tsx'
import { StepCard } from './step-card.tsx'

/** One run: how it ended, and each call with its timing, assertions, headers and body. */
export function ResultView({ serviceId, resultId }: { serviceId: string; resultId: string }) {
  const result = useQuery({ ...query('results.get', { id: serviceId, resultId }), staleTime: Number.POSITIVE_INFINITY })
  return (
    <Stack>
      <Anchor component={Link} href={`/services/${serviceId}`} size="sm">
        <Group gap={4} component="span">
          <ArrowLeft size={14} aria-hidden /> All results
        </Group>
      </Anchor>
      <Loaded query={result}>
        {(run) => (
          <Stack gap="lg">
            <Group gap="md">
              <Title order={2} fz="lg">
                Run of {dateTimeText(run.startedAt)}
              </Title>
              <StatusBadge status={run.status} />
              <Text size="sm" c="dimmed">
                <Instant at={run.startedAt} /> · took {millisecondsText(run.runDurationMs)} · on {run.agentSlug}
              </Text>
            </Group>
            {run.status === 'skipped' && (
              <Alert variant="light" color="gray">
                This run was due, and no agent was there to make it. It counts neither as a success nor as a failure.
              </Alert>
            )}
            {run.steps.map((step) => (
              <StepCard
                key={step.id}
                serviceId={serviceId}
                resultId={resultId}
                step={step}
                method={methodOf(run.rawResult, step.stepNum)}
              />
            ))}
            <RawResult result={run} />
          </Stack>
        )}
      </Loaded>
    </Stack>
  )
}

/** Steps do not repeat their method; the language's own result has it in the request of the same call. */
function methodOf(raw: Record<string, unknown> | null, stepNum: number): string | null {
  const call = Array.isArray(raw?.calls) ? raw.calls[stepNum - 1] : null
  const method = call?.request?.method
  return typeof method === 'string' ? method.toUpperCase() : null
}
