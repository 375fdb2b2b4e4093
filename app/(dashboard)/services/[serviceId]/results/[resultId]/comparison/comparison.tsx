'use client'

import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import type { Result } from '#server/schemas/results/results.ts'
import { query } from '../../../../../../client/api.ts'
import { problemOf } from '../../../../../../client/problem.ts'
import { Link } from '../../../../../../components/layout/link.tsx'
import { Loaded } from '../../../../../../components/lists/loaded.tsx'
import { RunDifferences } from '../../../../../../components/run-diff/run-differences.tsx'
import { filterQuery } from '../../../history/selection.ts'
import { OtherResultForm } from './other-result-form.tsx'

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
  return <RunDifferences before={before} after={after} />
}
