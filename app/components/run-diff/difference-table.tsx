import { ScrollTable } from '../lists/scroll-table.tsx'
import { Table } from '../lists/table.tsx'

type Row = { label: string; before: string | null; after: string | null }

/** What differs between two runs: a row each. */
export function DifferenceTable({ label, title, rows }: { label: string; title: string; rows: Row[] }) {
  return (
    <ScrollTable aria-label={label} miw={420} verticalSpacing={4} columns={[title, 'Before', 'After']}>
      {rows.map((row) => (
        <Table.Tr key={row.label}>
          <Table.Th scope="row" w={160} style={{ overflowWrap: 'anywhere' }}>
            {row.label}
          </Table.Th>
          <Table.Td style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{row.before ?? '–'}</Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }} fw={600}>
            {row.after ?? '–'}
          </Table.Td>
        </Table.Tr>
      ))}
    </ScrollTable>
  )
}
