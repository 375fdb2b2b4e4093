'use client'

import { Paper, ScrollArea, Table, type TableProps } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = Pick<TableProps, 'miw' | 'verticalSpacing' | 'highlightOnHover'> & {
  /** The cells of the first row. */
  head: ReactNode
  /** The other rows. */
  children: ReactNode
}

/** A list as a table on a sheet of its own, which scrolls sideways where there is no room for it. */
export function ListTable({ head, children, ...table }: Props) {
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
