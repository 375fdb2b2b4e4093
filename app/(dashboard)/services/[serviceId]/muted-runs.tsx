'use client'

import { Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../client/api.ts'
import { Instant } from '../../../components/instant.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { StatusBadge } from '../../../components/runs/status-badge.tsx'

const SHOWN = 5

/** The latest runs during a maintenance: the list of results leaves them out, because they count for nothing. */
export function MutedRuns({ serviceId: id }: { serviceId: string }) {
  const { data } = useQuery(query('services.runs.list', { id, pageSize: SHOWN }))
  const muted = (data?.items ?? []).filter(({ results }) => results.some(({ duringMaintenance }) => duringMaintenance))
  if (muted.length === 0) return null
  return (
    <Group gap="sm" component="section" aria-label="Latest runs under maintenance">
      <Text size="sm">Latest runs under maintenance:</Text>
      {muted.map((run) => (
        <Group key={run.id} gap={6} component="span">
          <StatusBadge status={run.outcome ?? run.state} />
          <Anchor component={Link} href={`/services/${id}/runs/${run.id}`} size="sm" underline="always">
            <Instant at={run.requestedAt} />
          </Anchor>
        </Group>
      ))}
    </Group>
  )
}
