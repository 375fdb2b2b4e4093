'use client'

import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import type { Result } from '#server/schemas/results/results.ts'
import { query } from '../../../../../../client/api.ts'
import { problemOf } from '../../../../../../client/problem.ts'
import { useDateTimeText } from '../../../../../../components/instant.tsx'
import { Link } from '../../../../../../components/layout/link.tsx'
import { Loaded } from '../../../../../../components/lists/loaded.tsx'
import { ScrollTable } from '../../../../../../components/lists/scroll-table.tsx'
import { Table } from '../../../../../../components/lists/table.tsx'
import { millisecondsText } from '../../../../../../components/numbers.ts'
import { StatusBadge } from '../../../../../../components/runs/status-badge.tsx'
import { filterQuery } from '../../../history/selection.ts'
import { OtherResultForm } from './other-result-form.tsx'
import { pairSteps } from './run-diff.ts'
import { StepComparison } from './step-comparison.tsx'

/** A run beside another one: the last that passed before it (`passing`), or any other of the service by its id. */
export function Comparison({ run, compare }: { run: Result; compare: string }) {
  const params = useSearchParams()
  const href = `/services/${run.serviceId}/results/${run.id}`
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="comparison">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={3} fz="md" id="comparison">
            {compare === 'passing' ? 'Compared with the last passing run' : 'Compared with another run'}
          </Title>
          <Anchor component={Link} href={`${href}${filterQuery(params)}`} size="sm" scroll={false}>
            Close the comparison
          </Anchor>
        </Group>
        {compare === 'passing' ? <WithLastPassing run={run} /> : <WithResult run={run} otherId={compare} />}
        <OtherResultForm hrefTo={(id) => `${href}${filterQuery(params, { compare: id })}`} />
      </Stack>
    </Paper>
  )
}

function WithLastPassing({ run }: { run: Result }) {
  const last = useQuery({
    ...query('results.lastPassing', { id: run.serviceId, resultId: run.id }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Loaded query={last}>
      {({ result }) =>
        result ? <WithResult run={run} otherId={result.id} /> : <Text size="sm">No earlier passing run is stored.</Text>
      }
    </Loaded>
  )
}

function WithResult({ run, otherId }: { run: Result; otherId: string }) {
  const other = useQuery({
    ...query('results.get', { id: run.serviceId, resultId: otherId }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const code = other.error && problemOf(other.error).code
  if (code === 'not_found' || code === 'invalid_uuid')
    return <Text size="sm">No result with this id is stored for this service.</Text>
  return <Loaded query={other}>{(other) => <Runs run={run} other={other} />}</Loaded>
}

/** The earlier run is on the left, whichever the page shows. */
function Runs({ run, other }: { run: Result; other: Result }) {
  const [before, after] = run.startedAt < other.startedAt ? [run, other] : [other, run]
  return (
    <>
      <ScrollTable aria-label="Both runs" miw={420} verticalSpacing={4} columns={['', 'Before', 'After']}>
        <Table.Tr>
          <Table.Th scope="row">Run</Table.Th>
          <Table.Td>
            <RunLink run={before} />
          </Table.Td>
          <Table.Td>
            <RunLink run={after} />
          </Table.Td>
        </Table.Tr>
        <Table.Tr>
          <Table.Th scope="row">Status</Table.Th>
          <Table.Td>
            <StatusBadge status={before.status} />
          </Table.Td>
          <Table.Td>
            <StatusBadge status={after.status} />
          </Table.Td>
        </Table.Tr>
        <TextRow
          label="Duration"
          before={millisecondsText(before.runDurationMs)}
          after={millisecondsText(after.runDurationMs)}
        />
        <TextRow label="Agent" before={before.agentSlug} after={after.agentSlug} />
        <TextRow label="Script version" before={before.scriptVersion ?? '–'} after={after.scriptVersion ?? '–'} />
      </ScrollTable>
      {pairSteps(before.steps, after.steps).map((pair) => (
        <StepComparison
          key={`${pair.before?.id} ${pair.after?.id}`}
          pair={pair}
          ids={{ serviceId: run.serviceId, before: before.id, after: after.id }}
        />
      ))}
    </>
  )
}

function TextRow({ label, before, after }: { label: string; before: ReactNode; after: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{label}</Table.Th>
      <Table.Td>{before}</Table.Td>
      <Table.Td>{after}</Table.Td>
    </Table.Tr>
  )
}

function RunLink({ run }: { run: Result }) {
  const dateTimeText = useDateTimeText()
  return (
    <Anchor component={Link} href={`/services/${run.serviceId}/results/${run.id}`} size="sm" underline="always">
      {dateTimeText(run.startedAt)}
    </Anchor>
  )
}
