'use client'

import { Alert, Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Siren } from 'lucide-react'
import { query } from '../../../client/api.ts'
import { Instant } from '../../../components/instant.tsx'
import { Link } from '../../../components/layout/link.tsx'

/** Says since when the service is failed, with a link to its open incident. */
export function IncidentNotice({ serviceId }: { serviceId: string }) {
  const open = useQuery(query('incidents.list', { serviceId, state: 'open', pageSize: 1 }))
  const incident = open.data?.items[0]
  if (!incident) return null
  return (
    <Alert color="red" variant="light" icon={<Siren size={18} aria-hidden />}>
      Failed since <Instant at={incident.failingSince} />.{' '}
      {incident.acknowledgedBy && `Acknowledged by ${incident.acknowledgedBy.name}. `}
      <Anchor component={Link} href={`/incidents/${incident.id}`} inherit underline="always">
        See the incident
      </Anchor>
    </Alert>
  )
}
