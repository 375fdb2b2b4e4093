'use client'

import type { ReactNode } from 'react'
import { Table } from '../../components/lists/table.tsx'

/** A table of the guide. The first cell of a row names it, and is its key. */
export function GuideTable({ head, rows }: { head: string[]; rows: [name: string, ...cells: ReactNode[]][] }) {
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          {head.map((title) => (
            <Table.Th key={title}>{title}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([name, ...cells]) => (
          <Table.Tr key={name}>
            <Table.Td style={{ whiteSpace: 'nowrap', verticalAlign: 'top' }}>{name}</Table.Td>
            {cells.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table keep their order
              <Table.Td key={index} style={{ verticalAlign: 'top' }}>
                {cell}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
