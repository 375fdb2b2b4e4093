'use client'

import { Alert, Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useSearchParams } from 'next/navigation'
import type { Result } from '#server/schemas/results/results.ts'
import { query } from '../../../../../client/api.ts'
import { Instant, useDateTimeText } from '../../../../../components/instant.tsx'
import { Link } from '../../../../../components/layout/link.tsx'
import { Loaded } from '../../../../../components/lists/loaded.tsx'
import { millisecondsText } from '../../../../../components/numbers.ts'
import { StepList } from '../../../../../components/run-steps/step-list.tsx'
import { Timeline } from '../../../../../components/run-steps/timeline.tsx'
import calm from '../../../../../components/runs/calm.module.css'
import { DuringMaintenance } from '../../../../../components/runs/during-maintenance.tsx'
import { FailureCause } from '../../../../../components/runs/failure-cause.tsx'
import { PassedOnRecheck } from '../../../../../components/runs/passed-on-recheck.tsx'
import { RecheckPair } from '../../../../../components/runs/recheck-pair.tsx'
import { StatusBadge } from '../../../../../components/runs/status-badge.tsx'
import { useRecheck } from '../../../../../components/runs/use-recheck.ts'
import { ArrowLeft, GitCompareArrows } from '../../../../icons.ts'
import { filterQuery } from '../../history/selection.ts'
import { NeighbourRuns } from './neighbour-runs.tsx'
import { RawResult } from './raw-result.tsx'
import { StepBody } from './step-body.tsx'

/** The agent of a run for which no agent was eligible: the nil UUID, as in `server/schedule/placement.ts`. */
const NO_AGENT_ID = '00000000-0000-0000-0000-000000000000'

const Comparison = dynamic(() => import('./comparison/comparison.tsx').then(({ Comparison }) => Comparison))

/** One run: its cause, a timeline of all steps, the steps themselves, and on request another run beside it. */
export function ResultView({ serviceId, resultId }: { serviceId: string; resultId: string }) {
  const result = useQuery({ ...query('results.get', { id: serviceId, resultId }), staleTime: Number.POSITIVE_INFINITY })
  const compare = useSearchParams().get('compare')
  return (
    <Stack>
      <Group justify="space-between" gap="xs">
        <Anchor component={Link} href={`/services/${serviceId}`} size="sm">
          <Group gap={4} component="span">
            <ArrowLeft size={14} aria-hidden /> All results
          </Group>
        </Anchor>
        <NeighbourRuns serviceId={serviceId} resultId={resultId} />
      </Group>
      <Loaded query={result}>{(run) => <Run run={run} compare={compare} />}</Loaded>
    </Stack>
  )
}

function Run({ run, compare }: { run: Result; compare: string | null }) {
  const { hasPassed } = useRecheck(run)
  return (
    <Stack gap="lg">
      <Heading run={run} isCompared={compare !== null} isCalm={hasPassed} />
      {run.duringMaintenance && <DuringMaintenance />}
      {run.status === 'skipped' && (
        <Alert variant="light" color="gray">
          {run.probeAgentId === NO_AGENT_ID
            ? 'No agent can run this service: none of its selected agents is active, or it selects none and no shared agent is active. Select agents in the settings.'
            : run.summary === null
              ? 'No agent was available when this run was due.'
              : `Not executed: ${run.summary}.`}{' '}
          A skipped run counts neither as passed nor as failed.
        </Alert>
      )}
      <RecheckPair run={run} />
      {run.failure && <FailureCause failure={withoutShownExcerpt(run)} isCalm={hasPassed} />}
      {compare !== null && <Comparison run={run} compare={compare} />}
      <Stack gap="lg" className={hasPassed ? calm.calm : undefined}>
        {run.steps.length > 0 && (
          <Paper withBorder p="md">
            <Timeline run={run} />
          </Paper>
        )}
        <StepList run={run} bodyOf={(step) => <StepBody serviceId={run.serviceId} resultId={run.id} step={step} />} />
      </Stack>
      <RawResult result={run} />
    </Stack>
  )
}

function Heading({ run, isCompared, isCalm }: { run: Result; isCompared: boolean; isCalm: boolean }) {
  const params = useSearchParams()
  const dateTimeText = useDateTimeText()
  return (
    <Group gap="md">
      <Title order={2} fz="lg">
        Run at {dateTimeText(run.startedAt)}
      </Title>
      {isCalm && run.recheckedBy ? (
        <PassedOnRecheck serviceId={run.serviceId} recheckId={run.recheckedBy} />
      ) : (
        <StatusBadge status={run.status} />
      )}
      <Text size="sm" c="dimmed">
        <Instant at={run.startedAt} /> · took {millisecondsText(run.runDurationMs)} · on {run.agentSlug}
        {run.scriptVersion !== null && ` · version ${run.scriptVersion}`}
      </Text>
      {!isCompared && run.status !== 'skipped' && (
        <Anchor component={Link} href={filterQuery(params, { compare: 'passing' })} size="sm" ml="auto" scroll={false}>
          <Group gap={4} component="span">
            <GitCompareArrows size={14} aria-hidden /> Compare with the last passing run
          </Group>
        </Anchor>
      )}
    </Group>
  )
}

/** The failing step is open and shows the body itself, so the excerpt is only for a body that is not stored. */
function withoutShownExcerpt({ failure, steps }: Result): NonNullable<Result['failure']> {
  const shown = failure as NonNullable<Result['failure']>
  const step = steps.find(({ stepNum }) => stepNum === shown.step?.stepNum)
  return step?.hasBody ? { ...shown, excerpt: null } : shown
}
