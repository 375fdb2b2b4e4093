'use client'

import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Board } from '#server/schemas/status/board.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { SelectField } from '../inputs/select-field.tsx'
import { Loaded } from '../lists/loaded.tsx'
import { Pager } from '../lists/pager.tsx'
import { COLUMN_KEYS, COLUMNS, type Column, type ColumnKey } from './columns.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { type AddressChanges, isFiltered, type ListAddress, queryOf } from './list-address.ts'
import { SearchBox } from './search-box.tsx'
import { type Grouping, sectionsOf } from './sections.ts'
import { type Order, ServiceTable, type TableProps } from './service-table.tsx'
import classes from './toolbar.module.css'
import { useSelection } from './use-selection.ts'

// It opens dialogs, and most visits of the page select nothing.
const BulkBar = lazyDialog(async () => (await import('../bulk/bulk-bar.tsx')).BulkBar)

type Props = Pick<TableProps, 'label' | 'withPlace'> & {
  board: UseQueryResult<Board>
  address: ListAddress
  change: (changes: AddressChanges, how?: 'push' | 'replace') => void
  /** The columns when the address names none. */
  defaults: readonly ColumnKey[]
  /** How services are grouped in the order of the page. A list that is sorted by a column has no groups. */
  grouping: Grouping
  titleOf?: TableProps['titleOf']
  /** Beside the search. */
  filters?: ReactNode
  /** Between the toolbar and the table. */
  notices?: (board: Board) => ReactNode
  /** Instead of the table when nothing matches. */
  empty: (board: Board) => ReactNode
}

/** The list of services of the board and of a project: search, columns, table, pages and bulk actions. */
export function ServiceList(props: Props) {
  const { board, address, change, defaults } = props
  const columns = address.columns ?? defaults
  const { data } = board
  return (
    <div className={classes.list}>
      <search className={classes.toolbar}>
        <SearchBox
          q={address.q ?? ''}
          onSearch={(q) => change({ q: q || undefined }, 'replace')}
          status={data && isFiltered(address) ? matchText(data.total, address.q !== undefined) : null}
          problems={data?.problems ?? []}
        />
        {props.filters}
        <div className={classes.looks}>
          <SortField address={address} onSort={(order) => change(sortChanges(order))} />
          <ColumnsMenu
            shown={columns}
            defaults={defaults}
            onChoose={(chosen) => change({ columns: chosen ?? undefined }, 'replace')}
          />
        </div>
      </search>
      <Loaded query={board}>{(loaded) => <Services {...props} data={loaded} columns={columns} />}</Loaded>
    </div>
  )
}

function Services(props: Props & { data: Board; columns: readonly ColumnKey[] }) {
  const { data, address, change, columns } = props
  const isSorted = address.sort !== undefined || address.order !== undefined
  const arranged = sectionsOf(data.services, isSorted ? 'none' : props.grouping, !isSorted)
  // Closing a group is no other list.
  const selection = useSelection(JSON.stringify(queryOf(address)), arranged, data.services)
  const goToPage = (page: number) => {
    change({ page })
    window.scrollTo({ top: 0 })
  }
  const [openCauses, setOpenCauses] = useState<string[]>([])
  const hasSelection = selection.selected.length > 0
  if (data.total === 0 && !hasSelection) return props.empty(data)
  return (
    <>
      {props.notices?.(data)}
      <ServiceTable
        label={props.label}
        sections={selection.sections}
        columns={columns}
        withPlace={props.withPlace}
        order={{ sort: address.sort ?? 'state', order: address.order ?? 'asc' }}
        onSort={(order) => change(sortChanges(order))}
        selected={selection.selected}
        onSelect={selection.select}
        titleOf={props.titleOf ?? (() => ({ text: '', content: null }))}
        closed={address.closed ?? []}
        onToggle={(key) => change({ closed: toggled(address.closed ?? [], key) }, 'replace')}
        openCauses={openCauses}
        onToggleCause={(key) => setOpenCauses(toggled(openCauses, key))}
      />
      {/* Another page would take the selected rows away. */}
      {!hasSelection && <Pager page={data} onPage={goToPage} />}
      {hasSelection && <BulkBar services={selection.services} onDone={selection.clear} />}
    </>
  )
}

function toggled(keys: string[], key: string): string[] {
  return keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key]
}

function sortChanges(order: Order | null): AddressChanges {
  return { sort: order?.sort, order: order?.order }
}

function matchText(total: number, isSearch: boolean): string {
  const services = total === 1 ? '1 service matches' : `${total.toLocaleString('en')} services match`
  return isSearch ? `${services} in names, URLs, hosts and labels.` : `${services}.`
}

const SORTS = [
  { value: '', label: 'Worst first' },
  { value: 'name asc', label: 'Name' },
  ...COLUMN_KEYS.flatMap((key) => {
    const { sort, first = 'asc', name }: Column = COLUMNS[key]
    return sort && sort !== 'state' ? [{ value: `${sort} ${first}`, label: name }] : []
  }),
]

/** The order on a phone, where the table has no head. */
function SortField({ address, onSort }: { address: ListAddress; onSort: (order: Order | null) => void }) {
  const value = `${address.sort ?? 'state'} ${address.order ?? 'asc'}`
  return (
    <SelectField
      className={classes.sortField}
      aria-label="Sort by"
      options={SORTS}
      value={SORTS.some((sort) => sort.value === value) ? value : ''}
      onChange={(event) => {
        const [sort, order] = event.currentTarget.value.split(' ') as [Order['sort'] | '', Order['order']]
        onSort(sort === '' ? null : { sort, order })
      }}
    />
  )
}
