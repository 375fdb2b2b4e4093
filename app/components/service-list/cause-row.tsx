'use client'

import type { BoardService, FailureGroup } from '#server/schemas/status/board.ts'
import { ChevronDown, ChevronRight } from '../icons.ts'
import { RowCheckbox } from '../inputs/row-checkbox.tsx'
import { StateIcon } from '../status/state-badge.tsx'
import { useSinceText } from '../status/use-since-text.ts'
import classes from './service-table.module.css'

const NAMES_SHOWN = 4

/** Services that fail for one cause, as one row that opens. */
export function CauseRow(props: {
  cause: FailureGroup
  /** Those on this page. */
  services: BoardService[]
  /** Of the columns beside the name. */
  span: number
  selection: { selected: number; selectable: number; onSelect: (isSelected: boolean) => void } | null
  isOpen: boolean
  onToggle: () => void
}) {
  const { cause, services, selection, isOpen } = props
  const sinceText = useSinceText()
  const Chevron = isOpen ? ChevronDown : ChevronRight
  const names = services.slice(0, NAMES_SHOWN).map(({ name }) => name)
  const more = cause.count - names.length
  const isAll = selection !== null && selection.selected > 0 && selection.selected === selection.selectable
  return (
    <tr data-state="failing" data-cause>
      {selection && (
        <td data-column="select">
          {selection.selectable > 0 && (
            <RowCheckbox
              label={`Select the ${selection.selectable} services of ${cause.host}`}
              checked={isAll}
              isPartial={selection.selected > 0 && !isAll}
              onChange={selection.onSelect}
            />
          )}
        </td>
      )}
      <td data-column="name" colSpan={props.span + 1}>
        <div className={classes.name}>
          <button type="button" className={classes.toggle} aria-expanded={isOpen} onClick={props.onToggle}>
            <Chevron size={16} aria-hidden />
            <StateIcon state="failing" isDecoration />
            <b>
              {cause.count} services fail for one cause: {cause.host}
            </b>
          </button>
          <span className={classes.dim} suppressHydrationWarning>
            {sinceText({ state: 'failing', since: cause.since })}
          </span>
        </div>
        <div className={classes.why}>
          <div className={classes.reason}>{cause.reason}</div>
          {!isOpen && (
            <div className={classes.dim}>
              {names.join(', ')}
              {more > 0 && ` and ${more} more`}
            </div>
          )}
        </div>
      </td>
    </tr>
  )
}
