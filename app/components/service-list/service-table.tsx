'use client'

import dynamic from 'next/dynamic'
import { Fragment, type ReactNode } from 'react'
import type { BoardService } from '#server/schemas/status/board.ts'
import type { BoardOrder, BoardSort } from '#server/schemas/status/board-sorts.ts'
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight } from '../icons.ts'
import { RowCheckbox } from '../inputs/row-checkbox.tsx'
import { ScrollSideways } from '../lists/scroll-sideways.tsx'
import { COLUMNS, type Column, type ColumnKey, tableWidth } from './columns.ts'
import { type Block, type Section, servicesOf } from './sections.ts'
import { ServiceRow } from './service-row.tsx'
import classes from './service-table.module.css'

// Most lists have no such group.
const CauseRow = dynamic(async () => (await import('./cause-row.tsx')).CauseRow)

export type Order = { sort: BoardSort; order: BoardOrder }

export type TableProps = {
  label: string
  sections: Section[]
  columns: readonly ColumnKey[]
  withPlace: boolean
  order: Order
  /** Null returns to the order of the page. */
  onSort: (order: Order | null) => void
  selected: readonly string[]
  onSelect: (services: BoardService[], isSelected: boolean) => void
  /** The title of a section, with its counts. */
  titleOf: (section: Section) => { text: string; content: ReactNode }
  closed: readonly string[]
  onToggle: (key: string) => void
  openCauses: readonly string[]
  onToggleCause: (key: string) => void
}

/** Services as dense rows, in sections that close. On a phone, each row is a block. */
export function ServiceTable(props: TableProps) {
  const { sections, columns, closed } = props
  // Nobody selects what they cannot see.
  const changeable = servicesOf(sections.filter(({ key }) => !closed.includes(key))).filter(({ mayWrite }) => mayWrite)
  const hasSelection = servicesOf(sections).some(({ mayWrite }) => mayWrite)
  const span = columns.length + 1 + (hasSelection ? 1 : 0)
  return (
    <ScrollSideways label={props.label} isSticky>
      <table className={classes.table} style={{ minWidth: tableWidth(columns) }} aria-label={props.label}>
        <colgroup>
          {hasSelection && <col style={{ width: 40 }} />}
          <col />
          {columns.map((key) => (
            <col key={key} style={{ width: COLUMNS[key].width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {hasSelection && (
              <th data-column="select">
                <RowCheckbox
                  label="Select all services on this page"
                  checked={changeable.length > 0 && changeable.every(({ id }) => props.selected.includes(id))}
                  isPartial={props.selected.length > 0 && !changeable.every(({ id }) => props.selected.includes(id))}
                  onChange={(isSelected) => props.onSelect(changeable, isSelected)}
                />
              </th>
            )}
            <SortHeader
              column={{ title: 'Service', name: 'Name', width: 0, sort: 'name' }}
              columnKey="name"
              {...props}
            />
            {columns.map((key) => (
              <SortHeader key={key} column={COLUMNS[key]} columnKey={key} {...props} />
            ))}
          </tr>
        </thead>
        {sections.map((section) => {
          const isClosed = section.kind !== 'all' && closed.includes(section.key)
          return (
            <tbody key={section.key}>
              {section.kind !== 'all' && (
                <SectionHeading
                  {...props.titleOf(section)}
                  span={span}
                  isClosed={isClosed}
                  onToggle={() => props.onToggle(section.key)}
                />
              )}
              {!isClosed &&
                section.blocks.map((block) => (
                  <Rows
                    key={block.kind === 'cause' ? block.cause.key : block.service.id}
                    block={block}
                    hasSelection={hasSelection}
                    withPlace={props.withPlace && section.kind !== 'project'}
                    table={props}
                  />
                ))}
            </tbody>
          )
        })}
      </table>
    </ScrollSideways>
  )
}

function SortHeader({
  column,
  columnKey,
  order,
  onSort,
}: Pick<TableProps, 'order' | 'onSort'> & { column: Column; columnKey: string }) {
  const { sort, first = 'asc', title } = column
  const cell = { 'data-column': columnKey, 'data-number': column.isNumber, title: column.name, scope: 'col' }
  if (!sort) return <th {...cell}>{title}</th>
  const current = order.sort === sort ? order.order : null
  const Arrow = current === 'desc' ? ArrowDown : ArrowUp
  const next = current === null ? first : current === first ? opposite(first) : null
  return (
    <th {...cell} aria-sort={current === null ? undefined : current === 'asc' ? 'ascending' : 'descending'}>
      <button
        type="button"
        className={classes.sort}
        onClick={() => onSort(next === null ? null : { sort, order: next })}
      >
        {title}
        {current && <Arrow size={13} aria-hidden />}
      </button>
    </th>
  )
}

function opposite(order: BoardOrder): BoardOrder {
  return order === 'asc' ? 'desc' : 'asc'
}

function SectionHeading(props: {
  text: string
  content: ReactNode
  span: number
  isClosed: boolean
  onToggle: () => void
}) {
  const Chevron = props.isClosed ? ChevronRight : ChevronDown
  return (
    <tr data-heading>
      <td colSpan={props.span}>
        <div className={classes.section}>
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={!props.isClosed}
            aria-label={props.text}
            onClick={props.onToggle}
          >
            <Chevron size={16} aria-hidden />
          </button>
          {props.content}
        </div>
      </td>
    </tr>
  )
}

function Rows(props: { block: Block; hasSelection: boolean; withPlace: boolean; table: TableProps }) {
  const { block, hasSelection, withPlace, table } = props
  const { selected, onSelect, columns } = table
  const row = (service: BoardService, isWithin: boolean) => (
    <ServiceRow
      key={service.id}
      service={service}
      columns={columns}
      withPlace={withPlace}
      isWithin={isWithin}
      selection={
        hasSelection
          ? {
              isSelected: selected.includes(service.id),
              onSelect: (isSelected) => onSelect([service], isSelected),
            }
          : null
      }
    />
  )
  if (block.kind === 'service') return row(block.service, false)
  const { cause, services } = block
  const own = services.filter(({ mayWrite }) => mayWrite)
  const isOpen = table.openCauses.includes(cause.key)
  return (
    <Fragment>
      <CauseRow
        cause={cause}
        services={services}
        span={columns.length}
        isOpen={isOpen}
        onToggle={() => table.onToggleCause(cause.key)}
        selection={
          hasSelection
            ? {
                selected: own.filter(({ id }) => selected.includes(id)).length,
                selectable: own.length,
                onSelect: (isSelected) => onSelect(own, isSelected),
              }
            : null
        }
      />
      {isOpen && services.map((service) => row(service, true))}
    </Fragment>
  )
}
