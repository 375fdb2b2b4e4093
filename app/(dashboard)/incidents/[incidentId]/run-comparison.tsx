'use client'

import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { Incident } from '#server/schemas/alerts/incidents.ts'
import { query } from '../../../client/api.ts'
import { problemOf } from '../../../client/problem.ts'
import { useDateTimeText } from '../../../components/instant.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { NoEntries } from '../../../components/lists/no-entries.tsx'
import { millisecondsText } from '../../../components/numbers.ts'
import { StatusBadge } from '../../../components/runs/status-badge.tsx'

/** The first failing run beside the last one that passed before it. */
export function RunComparison({ incident }: { incident: Incident }) {
  const { serviceId, firstResultId, lastPassingResultId } = incident
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <RunCard title="Last passing run">
        {lastPassingResultId ? (
          <Run serviceId={serviceId} resultId={lastPassingResultId} />
        ) : (
          <NoEntries>No run passed before this incident.</NoEntries>
        )}
      </RunCard>
      <RunCard title="First failing run">
        <Run serviceId={serviceId} resultId={firstResultId} />
        {lastPassingResultId && (
          <Anchor
            component={Link}
            href={`/services/${serviceId}/results/${firstResultId}?compare=${lastPassingResultId}`}
            size="sm"
          >
            Compare both runs
          </Anchor>
        )}
      </RunCard>
    </SimpleGrid>
  )
}

function RunCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id} withBorder p={{ base: 'md', sm: 'lg' }}>
      <Stack gap="xs">
        <Title order={2} fz="lg" id={id}>
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}

function Run({ serviceId, resultId }: { serviceId: string; resultId: string }) {
  const dateTimeText = useDateTimeText()
  const result = useQuery({ ...query('results.get', { id: serviceId, resultId }), staleTime: Number.POSITIVE_INFINITY })
  if (result.error && problemOf(result.error).code === 'not_found') {
    return <NoEntries>This result is no longer stored.</NoEntries>
  }
  return (
    <Loaded query={result} rows={2}>
      {(run) => (
        <>
          <Group gap="sm">
            <StatusBadge status={run.status} />
            <Anchor component={Link} href={`/services/${serviceId}/results/${run.id}`} size="sm">
              {dateTimeText(run.startedAt)}
            </Anchor>
          </Group>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {run.failure?.summary ?? stepsText(run.steps.length)}
          </Text>
          <Text size="sm" c="dimmed">
            Took {millisecondsText(run.runDurationMs)} on {run.agentSlug}
          </Text>
        </>
      )}
    </Loaded>
  )
}

function stepsText(count: number): string {
  return count === 1 ? 'The step passed' : `All ${count} steps passed`
}
