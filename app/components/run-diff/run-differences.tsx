'use client'

import { Anchor, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { Result, ResultStep } from '#server/schemas/results/results.ts'
import { statusText } from '#server/schemas/status/status-text.ts'
import { useDateTimeText } from '../instant.tsx'
import { Link } from '../layout/link.tsx'
import { ScrollTable } from '../lists/scroll-table.tsx'
import { Table } from '../lists/table.tsx'
import { StatusBadge } from '../runs/status-badge.tsx'
import { pairSteps, type StepPair } from './pair-steps.ts'
import { runDifferences, stepDifference, stepTitle, TIME_RULE } from './run-diff.ts'
import { ScriptChange } from './script-change.tsx'
import { StepDifference } from './step-difference.tsx'
import { type Bodies, useBodies } from './use-bodies.ts'

/** What differs between two runs of a service, and nothing that does not: the script, the steps and their answers. */
export function RunDifferences({ before, after }: { before: Result; after: Result }) {
  const { serviceId } = after
  const pairs = useMemo(() => pairSteps(before.steps, after.steps), [before, after])
  const bodies = useBodies(pairs, { serviceId, before: before.id, after: after.id })
  const whole = runDifferences(before, after)
  const steps = pairs.map((pair, index) => ({ pair, bodies: bodies[index] ?? { kind: 'none' as const } }))
  const different = steps.filter((step) => !isSame(step))
  const same = steps.filter((step) => isSame(step) && step.bodies.kind !== 'pending')
  const [earlier, later] = [before.scriptVersion, after.scriptVersion]
  return (
    <Stack gap="sm">
      <ScrollTable aria-label="Both runs" miw={420} verticalSpacing={4} columns={['Value', 'Before', 'After']}>
        <Table.Tr>
          <Table.Th scope="row" w={160}>
            Run
          </Table.Th>
          <Table.Td>
            <RunLink run={before} />
          </Table.Td>
          <Table.Td>
            <RunLink run={after} />
          </Table.Td>
        </Table.Tr>
        {whole.values.map(({ label, ...row }) => (
          <Table.Tr key={label}>
            <Table.Th scope="row">{label}</Table.Th>
            <Table.Td>{row.before}</Table.Td>
            <Table.Td fw={600}>{row.after}</Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
      {earlier !== null && later !== null && earlier !== later && (
        <ScriptChange serviceId={serviceId} before={earlier} after={later} />
      )}
      {different.map(({ pair, bodies }) =>
        isReached(pair.before) && isReached(pair.after) ? (
          <StepDifference key={keyOf(pair)} pair={pair} bodies={bodies} />
        ) : (
          <LoneStep key={keyOf(pair)} pair={pair} />
        ),
      )}
      <Text size="xs" c="dimmed">
        {whole.same.length > 0 && `The same: ${whole.same.join(', ')}. `}
        {same.length > 0 && `No difference in ${same.map(({ pair }) => stepTitle(pair)).join('; ')}. `}
        {TIME_RULE}
      </Text>
    </Stack>
  )
}

/** A step that only one run has or reached. */
function LoneStep({ pair }: { pair: StepPair }) {
  const { before, after } = pair
  const isEarlier = isReached(before)
  const { outcome, statusCode } = (isEarlier ? before : after) as ResultStep
  const where = before && after ? 'reached' : 'there'
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <Text span inherit fw={600}>
        {stepTitle(pair)}
      </Text>
      : only {where} in the {isEarlier ? 'earlier' : 'later'} run, {statusText(outcome)}
      {statusCode !== null && ` with status ${statusCode}`}.
    </Text>
  )
}

function isReached(step: ResultStep | null): step is ResultStep {
  return step !== null && step.outcome !== 'skipped'
}

function RunLink({ run }: { run: Result }) {
  const dateTimeText = useDateTimeText()
  return (
    <>
      <StatusBadge status={run.status} size="sm" />{' '}
      <Anchor component={Link} href={`/services/${run.serviceId}/results/${run.id}`} size="sm" underline="always">
        {dateTimeText(run.startedAt)}
      </Anchor>
    </>
  )
}

/** Bodies that are not compared count as no difference only if everything else is the same. */
function isSame({ pair: { before, after }, bodies }: { pair: StepPair; bodies: Bodies }): boolean {
  if (!before || !after || bodies.kind === 'different' || bodies.kind === 'large') return false
  const { values, headers } = stepDifference({ before, after })
  return values.length === 0 && headers.length === 0
}

function keyOf({ before, after }: StepPair): string {
  return `${before?.id} ${after?.id}`
}
