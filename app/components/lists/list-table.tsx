'use client'

import { Paper } from '@mantine/core'
import { ScrollTable, type ScrollTableProps } from './scroll-table.tsx'

/** The main table of a page, in a frame. */
export function ListTable(props: ScrollTableProps) {
  return (
    <Paper withBorder>
      <ScrollTable verticalSpacing="sm" horizontalSpacing="md" {...props} />
    </Paper>
  )
}
