'use client'

import { Checkbox, Code, Group } from '@mantine/core'
import type { BoardService } from '#server/schemas/status/board.ts'
import { Instant } from '../../../components/instant.tsx'
import { LabelBadge } from '../../../components/label-badge.tsx'
import { RowLink } from '../../../components/layout/row-link.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { millisecondsText, uptimeText } from '../../../components/numbers.ts'
import { StateBadge } from '../../../components/status/state-badge.tsx'
import { ServiceSwitch } from '../../../components/switches/service-switch.tsx'

export function ServiceRow(props: {
  service: BoardService
  mayWrite: boolean
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}) {
  const { service, mayWrite } = props
  return (
    <Table.Tr bg={props.isSelected ? 'var(--mantine-primary-color-light)' : undefined}>
      {mayWrite && (
        <Table.Td>
          <Checkbox
            size="xs"
            aria-label={`Select ${service.name}`}
            checked={props.isSelected}
            onChange={(event) => props.onSelect(event.currentTarget.checked)}
          />
        </Table.Td>
      )}
      <Table.Td>
        <Group gap="xs">
          <RowLink href={`/services/${service.id}`}>{service.name}</RowLink>
          <LabelBadge label={service.label} size="sm" />
        </Group>
      </Table.Td>
      <Table.Td>
        <StateBadge state={service.state} />
      </Table.Td>
      <Table.Td c="dimmed">{service.lastRunAt ? <Instant at={service.lastRunAt} /> : '–'}</Table.Td>
      <Table.Td>{uptimeText(service.uptime24h)}</Table.Td>
      <Table.Td>{millisecondsText(service.p95Ms)}</Table.Td>
      <Table.Td>
        <Code>{service.schedule}</Code>
      </Table.Td>
      <Table.Td>
        <ServiceSwitch service={service} mayWrite={mayWrite} />
      </Table.Td>
    </Table.Tr>
  )
}
