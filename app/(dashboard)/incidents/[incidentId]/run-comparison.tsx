'use client'

import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { Incident } from '#server/schemas/alerts/incidents.ts'
import { query } from '../../../client/api.ts'
import { problemOf } from '../../../client/problem.ts'
import { Link } from '../../../components/layout/link.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { NoEntries } from '../../../components/lists/no-entries.tsx'

const RunDifferences = dynamic(() =>
  import('../../../components/run-diff/run-differences.tsx').then(({ RunDifferences }) => RunDifferences),
)

/** What differs between the last run that passed and the first failing one. */
export function RunComparison({ incident }: { incident: Incident }) {
  const { serviceId, firstResultId, lastPassingResultId } = incident
  const href = `/services/${serviceId}/results/${firstResultId}`
  return (
    <Section
      title="What changed since the last passing run"
      actions={
        <Anchor component={Link} href={href} size="sm">
          See the first failing run
        </Anchor>
      }
    >
      {lastPassingResultId ? (
        <BothRuns serviceId={serviceId} passing={lastPassingResultId} failing={firstResultId} />
      ) : (
        <NoEntries>No run passed before this incident.</NoEntries>
      )}
    </Section>
  )
}

function BothRuns(props: { serviceId: string; passing: string; failing: string }) {
  const [passing, failing] = [useResult(props.serviceId, props.passing), useResult(props.serviceId, props.failing)]
  if (isGone(passing.error) || isGone(failing.error)) {
    return <NoEntries>Not both results are stored any more.</NoEntries>
  }
  return (
    <Loaded query={passing} rows={2}>
      {(before) => (
        <Loaded query={failing} rows={2}>
          {(after) => <RunDifferences before={before} after={after} />}
        </Loaded>
      )}
    </Loaded>
  )
}

function useResult(serviceId: string, resultId: string) {
  return useQuery({ ...query('results.get', { id: serviceId, resultId }), staleTime: Number.POSITIVE_INFINITY })
}

function isGone(error: Error | null): boolean {
  return error !== null && problemOf(error).code === 'not_found'
}
