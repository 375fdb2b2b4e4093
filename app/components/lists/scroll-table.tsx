'use client'

import type { CSSProperties, ReactNode } from 'react'
import { ScrollSideways } from './scroll-sideways.tsx'
import { Table, type TableProps, type TableThProps } from './table.tsx'

type Column =
  | string
  | (TableThProps & {
      /** The cells need no title where rows are blocks: they are badges, for example. */
      isPlain?: true
      /** What stands beside a control in the header where rows are blocks. */
      'data-label'?: string
    })

export type ScrollTableProps = Pick<
  TableProps,
  'miw' | 'fz' | 'verticalSpacing' | 'horizontalSpacing' | 'highlightOnHover' | 'withTableBorder' | 'aria-label'
> & {
  /** The header cells: each a title, or the properties of the cell. */
  columns: Column[]
  /** Keeps the columns where there is little room, for rows of short numbers. */
  keepsColumns?: boolean
  /** The other rows. */
  children: ReactNode
}

/**
 * A table with a header. Where there is little room, as on a phone, each row becomes a block: its title, then the other
 * cells with the titles of their columns. A table that is still too wide scrolls sideways.
 */
export function ScrollTable({ columns, keepsColumns = false, children, ...table }: ScrollTableProps) {
  const stacks = keepsColumns ? {} : { 'data-title': titleColumn(columns), style: labelsOf(columns) }
  return (
    <ScrollSideways label={table['aria-label'] ?? 'Table'}>
      <Table {...table} {...stacks}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table keep their order
              <Table.Th key={index} data-text={textOf(column) !== null || undefined} {...propsOf(column)} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </ScrollSideways>
  )
}

/** Returns the number of the column that names its row: the first one with a title. */
function titleColumn(columns: Column[]): number {
  return columns.findIndex((column) => textOf(column)) + 1
}

/** Returns the titles of the columns for the style sheet: `--label-2` belongs to the second one. */
function labelsOf(columns: Column[]): CSSProperties {
  const title = titleColumn(columns)
  const labels = columns.flatMap((column, index) => {
    const text = textOf(column)
    const isPlain = index + 1 === title || (typeof column !== 'string' && column.isPlain)
    return text && !isPlain ? [[`--label-${index + 1}`, JSON.stringify(text)]] : []
  })
  return Object.fromEntries(labels)
}

function propsOf(column: Column): TableThProps {
  if (typeof column === 'string') return { children: column }
  const { isPlain: _, ...props } = column
  return props
}

/** Returns null for a column whose header is a control. */
function textOf(column: Column): string | null {
  const { children = '' } = propsOf(column)
  return typeof children === 'string' ? children : null
}
