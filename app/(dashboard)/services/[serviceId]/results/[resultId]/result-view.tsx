'use client'

import { Alert, Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { Result } from '#server/schemas/results/results.ts'
import { query } from '../../../../../client/api.ts'
import { Instant, useDateTimeText } from '../../../../../components/instant.tsx'
import { Link } from '../../../../../components/layout/link.tsx'
import { Loaded } from '../../../../../components/lists/loaded.tsx'
import { millisecondsText } from '../../../../../components/numbers.ts'
import { FailureCause } from '../../../../../components/runs/failure-cause.tsx'
import { StatusBadge } from '../../../../../components/runs/status-badge.tsx'
import { RawResult } from './raw-result.tsx'
import { StepCard } from './step-card.tsx'

/** One run with its status and, for each step, timing, assertions, headers and body. */
export function ResultView({ serviceId, resultId }: { serviceId: string; resultId: string }) {
  const dateTimeText = useDateTimeText()
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
                Run at {dateTimeText(run.startedAt)}
              </Title>
              <StatusBadge status={run.status} />
              <Text size="sm" c="dimmed">
                <Instant at={run.startedAt} /> · took {millisecondsText(run.runDurationMs)} · on {run.agentSlug}
              </Text>
            </Group>
            {run.status === 'skipped' && (
              <Alert variant="light" color="gray">
                No agent was available when this run was due. It counts neither as a success nor as a failure.
              </Alert>
            )}
            {run.failure && <FailureCause failure={run.failure} />}
            {run.steps.map((step) => (
              <StepCard
                key={step.id}
                serviceId={serviceId}
                resultId={resultId}
                step={step}
                method={methodOf(run.rawResult, step.stepNum)}
                skippedText={skippedText(run)}
              />
            ))}
            <RawResult result={run} />
          </Stack>
        )}
      </Loaded>
    </Stack>
  )
}

/** Returns the request method of a step. Only the raw result has it, in the call with the step's number. */
function methodOf(raw: Record<string, unknown> | null, stepNum: number): string | null {
  const call = Array.isArray(raw?.calls) ? raw.calls[stepNum - 1] : null
  const method = call?.request?.method
  return typeof method === 'string' ? method.toUpperCase() : null
}

/** Says why steps were skipped: a run ends at the step that fails, which is the last one that was executed. */
function skippedText({ status, steps }: Result): string {
  if (status === 'timeout') return 'Skipped: the run timed out'
  const last = steps.findLast((step) => step.requestUrl !== null || step.error !== null)
  return last ? `Skipped: step ${last.stepNum} failed` : 'Skipped: the run ended before this step'
}
