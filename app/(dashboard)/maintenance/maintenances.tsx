'use client'

import { Badge, Button, Text } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Maintenance } from '#server/schemas/maintenances/maintenances.ts'
import { mutation, query } from '../../client/api.ts'
import { ConfirmRemoval } from '../../components/forms/confirm-removal.tsx'
import { Wrench } from '../../components/icons.ts'
import { Segments } from '../../components/inputs/segments.tsx'
import { useDateTimeText } from '../../components/instant.tsx'
import { Link } from '../../components/layout/link.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { RowLink } from '../../components/layout/row-link.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { RowButton } from '../../components/lists/row-button.tsx'
import { Table } from '../../components/lists/table.tsx'
import { TitleCell } from '../../components/lists/title-cell.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { ServiceWindowList } from './service-window-list.tsx'

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'On now' },
  { value: 'upcoming', label: 'Next' },
  { value: 'past', label: 'Past' },
] as const

const STATES: Record<string, { label: string; color: string }> = {
  active: { label: 'On now', color: 'blue' },
  upcoming: { label: 'Next', color: 'gray' },
  past: { label: 'Past', color: 'gray' },
}

const EXTENSION_MS = 1_800_000

/** What is on, next and past, for all resources that the member can read. */
export function Maintenances() {
  const [page, setPage] = useState(1)
  const [filter, setFilter] = useState<(typeof FILTERS)[number]['value']>('all')
  const [removing, setRemoving] = useState<Maintenance | null>(null)
  const state = filter === 'all' ? undefined : filter
  const maintenances = useQuery({ ...query('maintenances.list', { page, state }), placeholderData: keepPreviousData })
  const change = useMutation(mutation('maintenances.update'))
  const remove = useMutation({ ...mutation('maintenances.remove'), onSuccess: () => setRemoving(null) })
  return (
    <PageFrame
      title="Maintenance"
      intro={
        <>
          While a maintenance is on, its services wake nobody: results open no incident and do not count in uptime.
          Start one on the page of a workspace, a project or a service, or with <code>soundline deploy</code>.
        </>
      }
      actions={
        <Segments
          label="State"
          options={FILTERS}
          value={filter}
          onChange={(value) => {
            setFilter(value)
            setPage(1)
          }}
        />
      }
    >
      <ProblemAlert error={change.error} />
      <PagedTable
        query={maintenances}
        onPage={setPage}
        empty={
          <Empty
            icon={Wrench}
            title="No maintenances"
            description="Before a deploy, open the workspace, project or service and choose “Start maintenance”. What is on, next and past appears here."
            action={
              <Button component={Link} href="/workspaces" variant="default">
                Open the workspaces
              </Button>
            }
          />
        }
        miw={860}
        columns={['Covers', 'When', 'Mode', 'Started by', 'Note', { w: 230 }]}
      >
        {(one) => (
          <MaintenanceRow
            key={one.id}
            one={one}
            onEnd={() => change.mutate({ id: one.id, end: true })}
            onExtend={() => {
              const endsAt = new Date(Date.parse(one.endsAt) + EXTENSION_MS).toISOString()
              change.mutate({ id: one.id, endsAt })
            }}
            onRemove={() => setRemoving(one)}
          />
        )}
      </PagedTable>
      <ServiceWindowList />
      <ConfirmRemoval
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title="Delete maintenance"
        warning="It does not take place. One that is on ends."
        submitLabel="Delete maintenance"
        mutation={remove}
        onConfirm={() => removing && remove.mutate({ id: removing.id })}
      />
    </PageFrame>
  )
}

function MaintenanceRow(props: { one: Maintenance; onEnd: () => void; onExtend: () => void; onRemove: () => void }) {
  const { one } = props
  const { mayWrite } = one
  const dateTimeText = useDateTimeText()
  const { label, color } = STATES[one.state] ?? { label: one.state, color: 'gray' }
  const kind = one.workspaceId ? 'workspace' : one.projectId ? 'project' : 'service'
  const resourceId = (one.workspaceId ?? one.projectId ?? one.serviceId) as string
  return (
    <Table.Tr>
      <Table.Td>
        <TitleCell
          title={<RowLink href={`/${kind}s/${resourceId}`}>{one.resourceName}</RowLink>}
          badges={
            <Badge size="sm" variant="light" color={color} tt="none">
              {label}
            </Badge>
          }
          subtitle={one.label !== null && `label ${one.label}`}
        />
      </Table.Td>
      <Table.Td>
        {dateTimeText(one.startsAt)} to {dateTimeText(one.endsAt)}
        {one.rule !== null && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {one.rule}, {one.timezone}
          </Text>
        )}
        {one.endedBy !== null && (
          <Text size="xs" c="dimmed">
            ended by {one.endedBy.name}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{one.mode === 'skip' ? 'Skip' : 'Mute'}</Table.Td>
      <Table.Td>{one.createdBy.name}</Table.Td>
      <Table.Td maw={260} style={{ overflowWrap: 'anywhere' }}>
        {one.note ?? <Text c="dimmed">–</Text>}
      </Table.Td>
      <Table.Td ta="right">
        {mayWrite && one.state === 'active' && (
          <RowButton label={`End now: the maintenance of ${one.resourceName}`} onClick={props.onEnd}>
            End now
          </RowButton>
        )}
        {mayWrite && one.state === 'active' && one.rule === null && (
          <RowButton label={`Add 30 min to the maintenance of ${one.resourceName}`} onClick={props.onExtend}>
            Add 30 min
          </RowButton>
        )}
        {mayWrite && (one.state === 'upcoming' || (one.state === 'active' && one.rule !== null)) && (
          <RowButton color="red" label={`Delete the maintenance of ${one.resourceName}`} onClick={props.onRemove}>
            Delete
          </RowButton>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
