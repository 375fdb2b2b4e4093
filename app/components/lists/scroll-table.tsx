'use client'

import { ScrollArea, Table, type TableProps } from '@mantine/core'
import type { ReactNode } from 'react'

export type ScrollTableProps = Pick<
  TableProps,
  'miw' | 'fz' | 'verticalSpacing' | 'horizontalSpacing' | 'highlightOnHover' | 'withTableBorder' | 'aria-label'
> & {
  /** The cells of the header row. */
  head: ReactNode
  /** The other rows. */
  children: ReactNode
}

/** A table with a header, which scrolls sideways if it is wider than the screen. */
export function ScrollTable({ head, children, ...table }: ScrollTableProps) {
  return (
    <ScrollArea type="auto">
      <Table {...table}>
        <Table.Thead>
          <Table.Tr>{head}</Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </ScrollArea>
  )
}
