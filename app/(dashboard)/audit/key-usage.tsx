'use client'

import { Anchor, Code, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { useDateTimeText } from '../../components/instant.tsx'
import { Link } from '../../components/layout/link.tsx'
import { NoEntries } from '../../components/lists/no-entries.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { Table } from '../../components/lists/table.tsx'

/** The number of requests per hour, API key and operation. */
export function KeyUsage() {
  const dateTimeText = useDateTimeText()
  const [page, setPage] = useState(1)
  const usage = useQuery({ ...query('organization.audit.keyUsage', { page }), placeholderData: keepPreviousData })
  return (
    <PagedTable
      query={usage}
      onPage={setPage}
      empty={
        <NoEntries>
          No requests with an API key yet.{' '}
          <Anchor component={Link} href="/account/keys" inherit>
            Create a key
          </Anchor>{' '}
          for a program that calls the API.
        </NoEntries>
      }
      verticalSpacing="xs"
      horizontalSpacing="sm"
      miw={820}
      columns={[
        'Hour',
        'Key',
        'Operation',
        { ta: 'right', children: 'Requests' },
        { ta: 'right', children: 'Refused' },
        'Last request',
      ]}
    >
      {(row) => (
        <Table.Tr key={`${row.hour} ${row.key.id} ${row.operation}`}>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>
            <time dateTime={row.hour}>{dateTimeText(row.hour)}</time>
          </Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            {row.key.name} <Code style={{ whiteSpace: 'nowrap' }}>{row.key.prefix}</Code>
            <Text size="xs" c="dimmed">
              {row.member.email}
            </Text>
          </Table.Td>
          <Table.Td>
            <Code>{row.operation}</Code>
          </Table.Td>
          <Table.Td ta="right">{row.requests}</Table.Td>
          <Table.Td ta="right">{row.refused}</Table.Td>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>
            <time dateTime={row.lastUsedAt}>{dateTimeText(row.lastUsedAt)}</time>
          </Table.Td>
        </Table.Tr>
      )}
    </PagedTable>
  )
}
