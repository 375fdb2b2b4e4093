'use client'

import type { BoardService } from '#server/schemas/status/board.ts'
import { RowCheckbox } from '../../../components/inputs/row-checkbox.tsx'
import { Instant } from '../../../components/instant.tsx'
import { LabelBadge } from '../../../components/label-badge.tsx'
import { RowLink } from '../../../components/layout/row-link.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { MaintenanceBadge } from '../../../components/maintenance/maintenance-badge.tsx'
import { millisecondsText, uptimeText } from '../../../components/numbers.ts'
import { StateBadge } from '../../../components/status/state-badge.tsx'
import { useSinceText } from '../../../components/status/use-since-text.ts'
import { ServiceSwitch } from '../../../components/switches/service-switch.tsx'
import classes from './service-row.module.css'

/** A service in the list of a project. Mostly plain HTML: a page has fifty rows, which the server renders at once. */
export function ServiceRow(props: {
  service: BoardService
  mayWrite: boolean
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}) {
  const { service, mayWrite } = props
  const sinceText = useSinceText()
  return (
    <Table.Tr bg={props.isSelected ? 'var(--mantine-primary-color-light)' : undefined}>
      {mayWrite && (
        <Table.Td>
          <RowCheckbox label={`Select ${service.name}`} checked={props.isSelected} onChange={props.onSelect} />
        </Table.Td>
      )}
      <Table.Td>
        <div className={classes.name}>
          <RowLink href={`/services/${service.id}`}>{service.name}</RowLink>
          <LabelBadge label={service.label} size="sm" />
          <MaintenanceBadge maintenance={service.maintenance} />
        </div>
      </Table.Td>
      <Table.Td>
        {service.state === 'unknown' ? (
          <StateBadge state="unknown">{`Unknown ${sinceText(service)}`}</StateBadge>
        ) : (
          <StateBadge state={service.state} />
        )}
      </Table.Td>
      <Table.Td c="dimmed">{service.lastRunAt ? <Instant at={service.lastRunAt} /> : '–'}</Table.Td>
      <Table.Td>{uptimeText(service.uptime24h)}</Table.Td>
      <Table.Td>{millisecondsText(service.p95Ms)}</Table.Td>
      <Table.Td>
        <code className={classes.schedule}>{service.schedule}</code>
        {service.timezone && <div className={classes.timezone}>{service.timezone}</div>}
      </Table.Td>
      <Table.Td>
        <ServiceSwitch service={service} mayWrite={mayWrite} />
      </Table.Td>
    </Table.Tr>
  )
}
