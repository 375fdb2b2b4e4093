'use client'

import { Badge, Group, Text } from '@mantine/core'
import type { AgentProcess } from '#server/schemas/organization/agents.ts'
import { Instant } from '../../../components/instant.tsx'
import { NoEntries } from '../../../components/lists/no-entries.tsx'
import { ScrollTable } from '../../../components/lists/scroll-table.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { millisecondsText } from '../../../components/numbers.ts'
import { LoadBar } from '../load-bar.tsx'
import { busyShare, capacityText, clockText, loadText, reachText } from '../load-texts.ts'

export function ProcessTable({ processes }: { processes: AgentProcess[] }) {
  if (processes.length === 0)
    return (
      <NoEntries>No process is running. Start the agent on a machine that is enrolled, or enrol another one.</NoEntries>
    )
  return (
    <ScrollTable
      miw={960}
      aria-label="Processes"
      columns={['Host', 'May reach', 'Release', 'Runs', 'Load', 'Lateness', 'Clock offset', 'Started', 'Last activity']}
    >
      {processes.map((process) => (
        <ProcessRow key={process.id} process={process} />
      ))}
    </ScrollTable>
  )
}

function ProcessRow({ process }: { process: AgentProcess }) {
  const { slots, busy, cpu } = process
  const capacity = slots === null ? null : { slots, busy: busy ?? 0 }
  const name = process.host ?? 'Process'
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {process.isStalled && (
            <Badge variant="light" color="red">
              Stalled
            </Badge>
          )}
        </Group>
        {process.address && (
          <Text size="xs" c="dimmed">
            from {process.address}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm">{reachText(process.allowedNetworks)}</Text>
      </Table.Td>
      <Table.Td>{process.version ?? '–'}</Table.Td>
      <Table.Td>
        <LoadBar share={busyShare(capacity)} text={capacityText(capacity)} />
      </Table.Td>
      <Table.Td>
        <LoadBar share={cpu} text={loadText(cpu)} />
      </Table.Td>
      <Table.Td>{millisecondsText(process.latenessMs)}</Table.Td>
      <Table.Td>{clockText(process.clockOffsetMs)}</Table.Td>
      <Table.Td>
        <Instant at={process.startedAt} />
      </Table.Td>
      <Table.Td>
        {process.lastTakenAt ? <Instant at={process.lastTakenAt} /> : 'None yet'}
        {process.isStalled && ', while runs are waiting'}
      </Table.Td>
    </Table.Tr>
  )
}
