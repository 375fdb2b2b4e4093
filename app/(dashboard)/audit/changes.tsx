'use client'

import { Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { query } from '../../client/api.ts'
import { useZone } from '../../client/zone.tsx'
import { zoneName } from '../../client/zone-choice.ts'
import { useDateTimeText } from '../../components/instant.tsx'
import { NoEntries } from '../../components/lists/no-entries.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { Table } from '../../components/lists/table.tsx'
import { type AuditAddress, addressWith, queryOf } from './audit-address.ts'
import { AuditFilters } from './audit-filters.tsx'
import { EntryCell } from './entry-cell.tsx'

/** The changes, newest first. The filters and the page are in the address. */
export function Changes({ address }: { address: AuditAddress }) {
  const router = useRouter()
  const dateTimeText = useDateTimeText()
  const { zone } = useZone()
  const entries = useQuery({
    ...query('organization.audit.list', queryOf(address, zone)),
    placeholderData: keepPreviousData,
  })
  return (
    <Stack>
      <AuditFilters address={address} />
      <PagedTable
        query={entries}
        onPage={(page) => router.push(addressWith(address, { page }))}
        empty={<NoEntries>No changes found. Choose fewer filters or a longer time.</NoEntries>}
        verticalSpacing="xs"
        aria-label="Changes"
        columns={[{ w: 170, children: `Time (${zoneName(zone)})` }, 'Change']}
      >
        {(entry) => (
          <Table.Tr key={entry.id} style={{ verticalAlign: 'top' }}>
            <Table.Td>
              <time dateTime={entry.createdAt}>{dateTimeText(entry.createdAt)}</time>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <EntryCell entry={entry} address={address} />
            </Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
    </Stack>
  )
}
