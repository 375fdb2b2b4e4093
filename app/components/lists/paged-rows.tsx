'use client'

import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { NoEntries } from './no-entries.tsx'
import { Pager } from './pager.tsx'
import { Table } from './table.tsx'

/** One page of a short list inside a section: rows without a header, with the pager below. */
export function PagedRows<T>(props: {
  list: { items: T[]; total: number; page: number; pageSize: number }
  onPage: (page: number) => void
  /** The sentence that is shown if the list has no items. */
  empty: string
  /** Renders the row of an item. */
  children: (item: T) => ReactNode
}) {
  const { list } = props
  return (
    <Stack>
      {list.total === 0 ? (
        <NoEntries>{props.empty}</NoEntries>
      ) : (
        <Table verticalSpacing="xs">
          <Table.Tbody>{list.items.map(props.children)}</Table.Tbody>
        </Table>
      )}
      <Pager page={list} onPage={props.onPage} />
    </Stack>
  )
}
