'use client'

import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ServiceMaintenance } from '#server/schemas/maintenances/maintenances.ts'
import { query } from '../../client/api.ts'
import { Wrench } from '../icons.ts'
import { useDateTimeText } from '../instant.tsx'
import { Link } from '../layout/link.tsx'

type Shown = Pick<ServiceMaintenance, 'mode' | 'until' | 'note' | 'by'>

/** Says that a maintenance holds, until when, who started it, and why. */
export function MaintenanceNotice({ of, what, children }: { of: Shown; what: string; children?: ReactNode }) {
  const dateTimeText = useDateTimeText()
  return (
    <Alert
      color="blue"
      variant="light"
      icon={<Wrench size={18} aria-hidden />}
      title={`Under maintenance until ${dateTimeText(of.until)}`}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {of.by === null
          ? 'The own maintenance window of the service is open.'
          : `Started by ${of.by}${of.note === null ? '' : `: “${of.note}”`}.`}{' '}
        {of.mode === 'skip'
          ? `No scheduled runs of ${what} start.`
          : `Runs of ${what} go on and count for nothing, and nobody is notified.`}{' '}
        <Anchor component={Link} href="/maintenance" inherit underline="always">
          See all maintenances
        </Anchor>
      </Text>
      {children}
    </Alert>
  )
}

/** The same for a workspace or project as a whole. */
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
