'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { query } from '../../client/api.ts'

// Most of the time, no maintenance holds.
const MaintenanceNotice = dynamic(async () => (await import('./maintenance-notice.tsx')).MaintenanceNotice)

/** Says which maintenances hold for a workspace or project as a whole. */
export function ContainerMaintenance({ kind, id }: { kind: 'workspace' | 'project'; id: string }) {
  const scope = kind === 'workspace' ? { workspaceId: id } : { projectId: id }
  // A failed request shows nothing: the page's own requests then fail too, and say why.
  const { data } = useQuery(
    query('maintenances.list', { ...scope, state: 'active', withoutParts: 'true', pageSize: 100 }),
  )
  return (data?.items ?? []).map((one) => (
    <MaintenanceNotice
      key={one.id}
      of={{ mode: one.mode, until: one.endsAt, note: one.note, by: one.createdBy.name }}
      what={one.label === null ? `all services of ${one.resourceName}` : `services with the label ${one.label}`}
    />
  ))
}
