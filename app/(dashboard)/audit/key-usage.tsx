'use client'

import { Code, Stack, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { dateTimeText } from '../../components/instant.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'

/** Requests made with API keys, by key, operation and hour. */
export function KeyUsage() {
  const [page, setPage] = useState(1)
  const usage = useQuery({ ...query('organization.audit.keyUsage', { page }), placeholderData: keepPreviousData })
  return (
    <Loaded query={usage}>
      {(list) =>
        list.total === 0 ? (
          <Text c="dimmed" size="sm">
            No request was made with an API key yet.
          </Text>
        ) : (
          <Stack>
            <ListTable
              verticalSpacing="xs"
              miw={820}
              head={
                <>
                  <Table.Th w={190}>Hour</Table.Th>
                  <Table.Th>Key</Table.Th>
                  <Table.Th>Member</Table.Th>
                  <Table.Th>Operation</Table.Th>
                  <Table.Th ta="right">Requests</Table.Th>
                  <Table.Th ta="right">Refused</Table.Th>
                  <Table.Th w={190}>Last use</Table.Th>
                </>
              }
            >
              {list.items.map((row) => (
                <Table.Tr key={`${row.hour} ${row.key.id} ${row.operation}`}>
                  <Table.Td>
                    <time dateTime={row.hour}>{dateTimeText(row.hour)}</time>
                  </Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    {row.key.name} <Code style={{ whiteSpace: 'nowrap' }}>{row.key.prefix}</Code>
                  </Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{row.member.email}</Table.Td>
                  <Table.Td>
                    <Code>{row.operation}</Code>
                  </Table.Td>
                  <Table.Td ta="right">{row.requests}</Table.Td>
                  <Table.Td ta="right">{row.refused}</Table.Td>
                  <Table.Td>
                    <time dateTime={row.lastUsedAt}>{dateTimeText(row.lastUsedAt)}</time>
                  </Table.Td>
                </Table.Tr>
              ))}
            </ListTable>
            <Pager page={list} onPage={setPage} />
          </Stack>
        )
      }
    </Loaded>
  )
}
