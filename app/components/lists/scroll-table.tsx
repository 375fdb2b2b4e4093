'use client'

import type { ReactNode } from 'react'
import { ScrollSideways } from './scroll-sideways.tsx'
import { Table, type TableProps, type TableThProps } from './table.tsx'

export type ScrollTableProps = Pick<
  TableProps,
  'miw' | 'fz' | 'verticalSpacing' | 'horizontalSpacing' | 'highlightOnHover' | 'withTableBorder' | 'aria-label'
> & {
  /** The header cells: each a title, or the properties of the cell. */
  columns: (string | TableThProps)[]
  /** The other rows. */
  children: ReactNode
}

/** A table with a header, which scrolls sideways if it is wider than the screen. */
export function ScrollTable({ columns, children, ...table }: ScrollTableProps) {
  return (
    <ScrollSideways label={table['aria-label'] ?? 'Table'}>
      <Table {...table}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table keep their order
              <Table.Th key={index} {...(typeof column === 'string' ? { children: column } : column)} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </ScrollSideways>
  )
}
