'use client'

import { Alert, Anchor, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { skippedText } from '#server/schemas/results/skipped-text.ts'
import type { Run } from '#server/schemas/runs.ts'
import { mutation, query } from '../../../../../client/api.ts'
import { notify } from '../../../../../client/notify.ts'
import { problemOf } from '../../../../../client/problem.ts'
import { runTitle } from '../../../../../client/titles/titles.ts'
import { useTitle } from '../../../../../client/titles/use-title.ts'
import { useResourceAccess } from '../../../../../client/use-resource-access.ts'
import { X } from '../../../../../components/icons.ts'
import { Instant, useDateTimeText } from '../../../../../components/instant.tsx'
import { Fact, Facts } from '../../../../../components/layout/facts.tsx'
import { Link } from '../../../../../components/layout/link.tsx'
import { Section } from '../../../../../components/layout/section.tsx'
import { Loaded } from '../../../../../components/lists/loaded.tsx'
import { NoEntries } from '../../../../../components/lists/no-entries.tsx'
import { ScrollTable } from '../../../../../components/lists/scroll-table.tsx'
import { Table } from '../../../../../components/lists/table.tsx'
import { millisecondsText, responseTimeText } from '../../../../../components/numbers.ts'
import { DuringMaintenance } from '../../../../../components/runs/during-maintenance.tsx'
import { StatusBadge } from '../../../../../components/runs/status-badge.tsx'

const CAUSES: Record<string, string> = {
  schedule: 'Schedule',
  request: 'On request',
  confirmation: 'Recheck of a failed run',
}

/** A run with its state, what its request brought, and its results: one per agent. */
export function RunView({ serviceId, runId }: { serviceId: string; runId: string }) {
  const service = useQuery(query('services.get', { id: serviceId }))
  const run = useQuery(query('services.runs.get', { id: serviceId, runId }))
  useTitle(run.data && service.data && runTitle(run.data, service.data.name))
  return (
    <Loaded query={run}>
      {(run) => (
        <Stack gap="lg">
          <Heading run={run} />
          {run.summary !== null && run.outcome !== 'skipped' && (
            <Alert color="red" title="What failed">
              {run.summary}
            </Alert>
          )}
          {run.results.some(({ duringMaintenance }) => duringMaintenance) && <DuringMaintenance />}
          <SkippedParts run={run} />
          <RunFacts run={run} />
          {run.variables && <Values variables={run.variables} />}
          <Results run={run} />
        </Stack>
      )}
    </Loaded>
  )
}

/** Which agents the verdict lacks: a run that passed on the others looks complete without this. */
function SkippedParts({ run }: { run: Run }) {
  const skipped = skippedText(run.skippedAgents)
  if (skipped === null) return null
  return (
    <Alert
      color="yellow"
      title={run.outcome === 'skipped' ? 'No agent executed this run' : 'Not executed on all agents'}
    >
      {skipped}
    </Alert>
  )
}

function Heading({ run }: { run: Run }) {
  const { mayWrite } = useResourceAccess('service', run.serviceId)
  const cancel = useMutation({
    ...mutation('services.runs.cancel'),
    onError: (error) => notify({ color: 'red', message: problemOf(error).message }),
  })
  return (
    <Group justify="space-between">
      <Group gap="sm">
        <Title order={2} fz="lg">
          Run
        </Title>
        <StatusBadge status={run.outcome ?? run.state} size="lg" />
      </Group>
      {mayWrite && run.state === 'queued' && (
        <Button
          variant="default"
          leftSection={<X size={15} aria-hidden />}
          loading={cancel.isPending}
          onClick={() => cancel.mutate({ id: run.serviceId, runId: run.id })}
        >
          Cancel the run
        </Button>
      )}
    </Group>
  )
}

function RunFacts({ run }: { run: Run }) {
  const dateTimeText = useDateTimeText()
  return (
    <Facts>
      <Fact title="Trigger">
        {CAUSES[run.cause] ?? run.cause}
        {run.recheckOf !== null && (
          <Text size="xs">
            <Anchor component={Link} href={`/services/${run.serviceId}/results/${run.recheckOf}`} size="xs">
              See the failed run
            </Anchor>
          </Text>
        )}
      </Fact>
      <Fact title={run.cause === 'request' ? 'Requested' : 'Due'}>
        {dateTimeText(run.requestedAt)}
        <Text size="xs" c="dimmed">
          <Instant at={run.requestedAt} />
        </Text>
      </Fact>
      <Fact title="Started">{run.startedAt ? dateTimeText(run.startedAt) : 'Not yet'}</Fact>
      <Fact title="Finished">{run.finishedAt ? dateTimeText(run.finishedAt) : 'Not yet'}</Fact>
      <Fact title="Script version">{run.scriptVersion ?? '–'}</Fact>
      <Fact title="Note">{run.note ?? '–'}</Fact>
    </Facts>
  )
}

function Values({ variables }: { variables: Record<string, string> }) {
  return (
    <Section
      title="Variables of this run"
      intro="The request set these values. The results of this run do not affect the state, metrics or alerts of the service."
    >
      <ScrollTable columns={['Variable', 'Value']} verticalSpacing="xs">
        {Object.entries(variables).map(([key, value]) => (
          <Table.Tr key={key}>
            <Table.Td>
              <Code>${key}</Code>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
    </Section>
  )
}

const NO_RESULT: Record<string, string> = {
  queued: 'No agent has started this run yet.',
  running: 'The run has started. Its results appear here.',
  done: 'The run ended without a result.',
}

function Results({ run }: { run: Run }) {
  const dateTimeText = useDateTimeText()
  return (
    <Section title="Results" intro="One for each agent that executed or skipped the run.">
      {run.results.length === 0 ? (
        <NoEntries>{NO_RESULT[run.state] ?? run.state}</NoEntries>
      ) : (
        <ScrollTable
          miw={640}
          verticalSpacing="xs"
          columns={['Started', { children: 'Status', isPlain: true }, 'Response time', 'Run duration', 'Agent']}
        >
          {run.results.map((result) => (
            <Table.Tr key={result.id}>
              <Table.Td>
                <Anchor component={Link} href={`/services/${run.serviceId}/results/${result.id}`} size="sm">
                  {dateTimeText(result.startedAt)}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <StatusBadge status={result.status} />
                {result.summary !== null && (
                  <Text size="xs" c="dimmed" maw={420} style={{ overflowWrap: 'anywhere' }}>
                    {result.summary}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{responseTimeText(result.totalResponseMs)}</Table.Td>
              <Table.Td>{millisecondsText(result.runDurationMs)}</Table.Td>
              <Table.Td>{result.agentSlug}</Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      )}
    </Section>
  )
}
