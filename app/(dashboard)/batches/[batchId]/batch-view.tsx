'use client'

import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { skippedText } from '#server/schemas/results/skipped-text.ts'
import type { Batch, BatchRun } from '#server/schemas/runs/batches.ts'
import { query } from '../../../client/api.ts'
import { batchTitle } from '../../../client/titles/titles.ts'
import { useTitle } from '../../../client/titles/use-title.ts'
import { Instant, useDateTimeText } from '../../../components/instant.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { NoEntries } from '../../../components/lists/no-entries.tsx'
import { ScrollTable } from '../../../components/lists/scroll-table.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { StatusBadge } from '../../../components/runs/status-badge.tsx'

/** Runs of several services that one request asked for. */
export function BatchView({ id }: { id: string }) {
  const batch = useQuery(query('batches.get', { id }))
  useTitle(batch.data && batchTitle(batch.data))
  return (
    <Loaded query={batch}>
      {(batch) => (
        <PageFrame title="Batch of runs" badges={<BatchBadge batch={batch} />} intro={batch.note ?? undefined}>
          <BatchFacts batch={batch} />
          <Section title="Services">
            {batch.runs.length === 0 ? (
              <NoEntries>No service that you can read matched the request.</NoEntries>
            ) : (
              <ScrollTable
                miw={560}
                verticalSpacing="xs"
                columns={['Service', { children: 'Run', isPlain: true }, { children: 'Cause', isPlain: true }]}
              >
                {batch.runs.map((run) => (
                  <BatchRow key={run.serviceId} run={run} />
                ))}
              </ScrollTable>
            )}
          </Section>
        </PageFrame>
      )}
    </Loaded>
  )
}

function BatchBadge({ batch }: { batch: Batch }) {
  if (batch.state !== 'done') return <StatusBadge status={batch.state} size="lg" />
  return <StatusBadge status={verdictOf(batch)} size="lg" />
}

/** A batch has passed when each of its services has, on all its agents. One that lacks no more than agents is incomplete. */
function verdictOf({ failed, timedOut, passed, incomplete, cancelled, total }: Batch): string {
  if (failed > 0) return 'failure'
  if (timedOut > 0) return 'timeout'
  if (total > 0 && passed === total) return incomplete === 0 ? 'success' : 'incomplete'
  return cancelled > 0 ? 'cancelled' : 'skipped'
}

function BatchFacts({ batch }: { batch: Batch }) {
  const dateTimeText = useDateTimeText()
  return (
    <Facts>
      <Fact title="Requested">
        {dateTimeText(batch.requestedAt)}
        <Text size="xs" c="dimmed">
          <Instant at={batch.requestedAt} />
        </Text>
      </Fact>
      <Fact title="Passed">
        {batch.passed} of {batch.total}
        {batch.incomplete > 0 && `, ${batch.incomplete} of them not on all agents`}
      </Fact>
      <Fact title="Failed">{batch.failed}</Fact>
      <Fact title="Timed out">{batch.timedOut}</Fact>
      <Fact title="Skipped">{batch.skipped}</Fact>
      <Fact title="Cancelled">{batch.cancelled}</Fact>
      <Fact title="Not finished">{batch.pending}</Fact>
    </Facts>
  )
}

/** Why a service is not run, by the code of the reason. */
const REASONS: Record<string, string> = {
  service_inactive: 'The service is switched off.',
  script_missing: 'The service has no script.',
  service_deleted: 'The service was deleted.',
  run_limit_reached: 'Too many runs of the service with their own variables are waiting.',
  run_expired: 'The run is no longer known.',
}

function causeOf({ summary, reason, skippedAgents }: BatchRun): string {
  if (reason !== null) return REASONS[reason] ?? reason
  return summary ?? skippedText(skippedAgents) ?? '–'
}

function BatchRow({ run }: { run: BatchRun }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          component={Link}
          href={run.runId ? `/services/${run.serviceId}/runs/${run.runId}` : `/services/${run.serviceId}`}
          size="sm"
        >
          {run.serviceName}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={run.outcome ?? run.state} />
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{causeOf(run)}</Table.Td>
    </Table.Tr>
  )
}
