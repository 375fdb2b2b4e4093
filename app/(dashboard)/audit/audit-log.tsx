'use client'

import { Anchor, Badge, Code, Group, Stack, Tabs, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Output, query } from '../../client/api.ts'
import { useDateTimeText } from '../../components/instant.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { NoEntries } from '../../components/lists/no-entries.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { Table } from '../../components/lists/table.tsx'
import { KeyUsage } from './key-usage.tsx'

export function AuditLog() {
  return (
    <PageFrame
      title="Audit log"
      intro="Every change in the organization with the member who made it, and the requests of its API keys."
    >
      <Tabs defaultValue="changes" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="changes">Changes</Tabs.Tab>
          <Tabs.Tab value="requests">API requests</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="changes">
          <Changes />
        </Tabs.Panel>
        <Tabs.Panel value="requests">
          <KeyUsage />
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  )
}

/** The changes, newest first, filtered by action and by resource type. */
function Changes() {
  const dateTimeText = useDateTimeText()
  const [page, setPage] = useState(1)
  const [filter, setFilter] = useState({ action: '', entityType: '' })
  const [debounced] = useDebouncedValue(filter, 300)
  const entries = useQuery({
    ...query('organization.audit.list', {
      page,
      action: debounced.action.trim() || undefined,
      entityType: debounced.entityType.trim() || undefined,
    }),
    placeholderData: keepPreviousData,
  })
  const change = (part: Partial<typeof filter>) => {
    setFilter({ ...filter, ...part })
    setPage(1)
  }
  return (
    <Stack>
      <Group gap="sm">
        <TextInput
          label="Action"
          placeholder="service.create"
          value={filter.action}
          onChange={(event) => change({ action: event.currentTarget.value })}
        />
        <TextInput
          label="Resource type"
          placeholder="service"
          value={filter.entityType}
          onChange={(event) => change({ entityType: event.currentTarget.value })}
        />
      </Group>
      <PagedTable
        query={entries}
        onPage={setPage}
        empty={<NoEntries>No changes found.</NoEntries>}
        verticalSpacing="xs"
        miw={820}
        columns={[{ w: 190, children: 'Time' }, 'Member', 'Action', 'Resource', 'Details']}
      >
        {(entry) => (
          <Table.Tr key={entry.id}>
            <Table.Td>
              <time dateTime={entry.createdAt}>{dateTimeText(entry.createdAt)}</time>
            </Table.Td>
            <Table.Td>
              <Text size="sm">{entry.actor?.email ?? 'System'}</Text>
              <Text size="xs" c="dimmed">
                {entry.address}
              </Text>
              {entry.key && (
                <Badge size="xs" variant="default">
                  key {entry.key.name}
                </Badge>
              )}
            </Table.Td>
            <Table.Td>
              <Anchor component="button" type="button" size="sm" onClick={() => change({ action: entry.action })}>
                {entry.action}
              </Anchor>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{resourceText(entry)}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {Object.keys(entry.details).length > 0 && <Code>{JSON.stringify(entry.details)}</Code>}
            </Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
    </Stack>
  )
}

type Entry = Output<'organization.audit.list'>['items'][number]

/** Sessions have no name: their entries show whose session it is. */
function resourceText({ entityType, entityName, entityId, actor }: Entry): string {
  if (entityName !== null) return entityName
  if (entityType === 'session' && actor) return `Session of ${actor.email}`
  return entityId ?? '–'
}
