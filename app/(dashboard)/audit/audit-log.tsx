'use client'

import { Anchor, Badge, Code, Group, Stack, Table, Tabs, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { dateTimeText } from '../../components/instant.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { KeyUsage } from './key-usage.tsx'

/** Who changed what, and how API keys are used. */
export function AuditLog() {
  return (
    <PageFrame
      title="Audit log"
      intro="Every change in the organization and who made it, and every use of its API keys."
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

/** Newest first; found by action and by kind of thing. */
function Changes() {
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
          label="Kind of thing"
          placeholder="service"
          value={filter.entityType}
          onChange={(event) => change({ entityType: event.currentTarget.value })}
        />
      </Group>
      <Loaded query={entries}>
        {(list) =>
          list.total === 0 ? (
            <Text c="dimmed" size="sm">
              Nothing was found.
            </Text>
          ) : (
            <Stack>
              <ListTable
                verticalSpacing="xs"
                miw={820}
                head={
                  <>
                    <Table.Th w={190}>When</Table.Th>
                    <Table.Th>Who</Table.Th>
                    <Table.Th>Action</Table.Th>
                    <Table.Th>What</Table.Th>
                    <Table.Th>Details</Table.Th>
                  </>
                }
              >
                {list.items.map((entry) => (
                  <Table.Tr key={entry.id}>
                    <Table.Td>
                      <time dateTime={entry.createdAt}>{dateTimeText(entry.createdAt)}</time>
                    </Table.Td>
                    <Table.Td>
                      <Text size="sm">{entry.actor?.email ?? 'The system'}</Text>
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
                      <Anchor
                        component="button"
                        type="button"
                        size="sm"
                        onClick={() => change({ action: entry.action })}
                      >
                        {entry.action}
                      </Anchor>
                    </Table.Td>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{entry.entityName ?? entry.entityId}</Table.Td>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>
                      {Object.keys(entry.details).length > 0 && <Code>{JSON.stringify(entry.details)}</Code>}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </ListTable>
              <Pager page={list} onPage={setPage} />
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  )
}
