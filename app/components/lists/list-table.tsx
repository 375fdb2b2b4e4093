'use client'

import { ScrollTable, type ScrollTableProps } from './scroll-table.tsx'

/** The main table of a page. It stands on the page itself. */
export function ListTable(props: ScrollTableProps) {
  return <ScrollTable verticalSpacing="sm" horizontalSpacing="sm" {...props} />
}
