'use client'

import { Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListTable } from './list-table.tsx'
import { Loaded } from './loaded.tsx'
import { Pager } from './pager.tsx'
import type { ScrollTableProps } from './scroll-table.tsx'

type Props<T> = Omit<ScrollTableProps, 'children'> & {
  query: UseQueryResult<{ items: T[]; total: number; page: number; pageSize: number }>
  onPage: (page: number) => void
  /** Shown instead of the table if the list has no items. */
  empty?: ReactNode
  /** Renders the row of an item. */
  children: (item: T) => ReactNode
}

/** One page of a list as a table, with the pager below it. */
export function PagedTable<T>({ query, onPage, empty, children, ...table }: Props<T>) {
  return (
    <Loaded query={query}>
      {(list) =>
        list.total === 0 && empty ? (
          empty
        ) : (
          <Stack>
            <ListTable {...table}>{list.items.map(children)}</ListTable>
            <Pager page={list} onPage={onPage} />
          </Stack>
        )
      }
    </Loaded>
  )
}
