'use client'

import { Paper, ScrollArea, Table, type TableProps } from '@mantine/core'
import type { ReactNode } from 'react'

export type ListTableProps = Pick<TableProps, 'miw' | 'verticalSpacing' | 'horizontalSpacing' | 'highlightOnHover'> & {
  /** The cells of the header row. */
  head: ReactNode
  /** The other rows. */
  children: ReactNode
}

/** A list as a table in a frame, which scrolls sideways on a narrow screen. */
export function ListTable({ head, children, ...table }: ListTableProps) {
  return (
    <Paper withBorder>
      <ScrollArea type="auto">
        <Table verticalSpacing="sm" horizontalSpacing="md" {...table}>
          <Table.Thead>
            <Table.Tr>{head}</Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
        </Table>
      </ScrollArea>
    </Paper>
  )
}
