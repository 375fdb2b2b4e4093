'use client'

import { Checkbox, Code, Group, Table } from '@mantine/core'
import type { Service } from '#server/schemas/services.ts'
import { Instant } from '../../../components/instant.tsx'
import { LabelBadge } from '../../../components/label-badge.tsx'
import { RowLink } from '../../../components/layout/row-link.tsx'
import { millisecondsText, percentText } from '../../../components/numbers.ts'
import { StatusBadge } from '../../../components/runs/status-badge.tsx'
import { ServiceSwitch } from '../../../components/switches/service-switch.tsx'

export function ServiceRow(props: {
  service: Service
  mayWrite: boolean
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}) {
  const { service, mayWrite } = props
  const { metrics } = service
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
        <StatusBadge status={service.lastStatus} />
      </Table.Td>
      <Table.Td c="dimmed">
        {metrics?.state.lastRunAt ? <Instant at={metrics.state.lastRunAt * 1_000} /> : '–'}
      </Table.Td>
      <Table.Td>{metrics ? percentText(metrics.counters.probesSuccess, metrics.counters.probesTotal) : '–'}</Table.Td>
      <Table.Td>{millisecondsText(metrics?.percentiles.p95)}</Table.Td>
      <Table.Td>
        <Code>{service.schedule}</Code>
      </Table.Td>
      <Table.Td>
        <ServiceSwitch service={service} mayWrite={mayWrite} />
      </Table.Td>
    </Table.Tr>
  )
}
