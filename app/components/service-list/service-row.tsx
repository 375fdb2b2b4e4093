'use client'

import type { BoardService } from '#server/schemas/status/board.ts'
import { RowCheckbox } from '../inputs/row-checkbox.tsx'
import { Link } from '../layout/link.tsx'
import { RowLink } from '../layout/row-link.tsx'
import { MaintenanceBadge } from '../maintenance/maintenance-badge.tsx'
import { causeParts } from '../status/cause-parts.ts'
import { StateIcon } from '../status/state-badge.tsx'
import { Cell } from './cells.tsx'
import { COLUMNS, type Column, type ColumnKey } from './columns.ts'
import classes from './service-table.module.css'

/** The labels that a row shows; the title of the last badge names the others. */
const LABELS_SHOWN = 3

/** A service in the table. Mostly plain HTML: a page has a hundred rows, which the server renders at once. */
export function ServiceRow(props: {
  service: BoardService
  columns: readonly ColumnKey[]
  /** Null where the member can select nothing. */
  selection: { isSelected: boolean; onSelect: (isSelected: boolean) => void } | null
  /** Names workspace and project. */
  withPlace: boolean
  /** One of the services of a cause: the row above says why. */
  isWithin?: boolean
}) {
  const { service, columns, selection } = props
  return (
    <tr
      data-state={service.state}
      data-selected={selection?.isSelected || undefined}
      data-within={props.isWithin || undefined}
    >
      {selection && (
        <td data-column="select">
          {service.mayWrite && (
            <RowCheckbox
              label={`Select ${service.name}`}
              checked={selection.isSelected}
              onChange={selection.onSelect}
            />
          )}
        </td>
      )}
      <td data-column="name">
        <div className={classes.name}>
          <StateIcon state={service.state} isDecoration={columns.includes('state')} />
          <div className={classes.heading}>
            <RowLink href={`/services/${service.id}`}>{service.name}</RowLink>
            <Labels labels={service.labels} />
            <MaintenanceBadge maintenance={service.maintenance} />
            {props.withPlace && (
              <span className={classes.place}>
                {service.workspaceName} / {service.projectName}
              </span>
            )}
          </div>
        </div>
        <Why service={service} isWithin={props.isWithin === true} />
      </td>
      {columns.map((key) => {
        const column: Column = COLUMNS[key]
        return (
          <td key={key} data-column={key} data-title={column.title} data-number={column.isNumber}>
            <Cell column={key} service={service} />
          </td>
        )
      })}
    </tr>
  )
}

function Labels({ labels }: { labels: string[] }) {
  const others = labels.slice(LABELS_SHOWN)
  return (
    <>
      {labels.slice(0, LABELS_SHOWN).map((label) => (
        <span key={label} className={classes.label}>
          {label}
        </span>
      ))}
      {others.length > 0 && (
        <span className={classes.label} title={others.join(', ')}>
          +{others.length}
        </span>
      )}
    </>
  )
}

/** The whole cause, and who takes care of it. */
function Why({ service: { cause, incident }, isWithin }: { service: BoardService; isWithin: boolean }) {
  if (!cause && !incident) return null
  const { request, reason } = causeParts(cause ?? '')
  return (
    <div className={classes.why}>
      {!isWithin && reason && <div className={classes.reason}>{reason}</div>}
      <div className={classes.dim}>
        {request}
        {request && incident && ' · '}
        {incident && (
          <Link href={`/incidents/${incident.id}`} className={classes.link}>
            {incident.acknowledgedAt ? `Acknowledged by ${incident.acknowledgedBy}` : 'Not acknowledged'}
          </Link>
        )}
      </div>
    </div>
  )
}
