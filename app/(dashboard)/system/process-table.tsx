import { Badge, Group, Text } from '@mantine/core'
import type { SystemProcess } from '#server/schemas/system.ts'
import { Instant } from '../../components/instant.tsx'
import { NoEntries } from '../../components/lists/no-entries.tsx'
import { ScrollTable } from '../../components/lists/scroll-table.tsx'
import { Table } from '../../components/lists/table.tsx'

const KINDS = { web: 'Web', worker: 'Worker', agent: 'Remote agent' }

export function ProcessTable({ processes, version }: { processes: SystemProcess[]; version: string | null }) {
  if (processes.length === 0) return <NoEntries>No processes found.</NoEntries>
  return (
    <ScrollTable
      miw={640}
      columns={['Process', 'Host', 'Release', 'Started', 'Last seen', 'Runs']}
      aria-label="Processes"
    >
      {processes.map((process) => (
        <Table.Tr key={process.id}>
          <Table.Td>
            <Group gap="xs">
              <Text size="sm" fw={600}>
                {KINDS[process.kind]}
                {process.agent && ` ${process.agent}`}
              </Text>
              {!process.isAlive && (
                <Badge variant="light" color="red">
                  Not responding
                </Badge>
              )}
            </Group>
          </Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>{process.host}</Table.Td>
          <Table.Td>
            <Group gap="xs">
              {process.version ?? 'Unknown'}
              {process.version !== null && version !== null && process.version !== version && (
                <Badge variant="light" color="yellow.9">
                  Different release
                </Badge>
              )}
            </Group>
          </Table.Td>
          <Table.Td>
            <Instant at={process.startedAt} />
          </Table.Td>
          <Table.Td>
            <Instant at={process.lastSeenAt} />
          </Table.Td>
          <Table.Td>{process.slots === null ? '–' : `${process.busy ?? 0} of ${process.slots}`}</Table.Td>
        </Table.Tr>
      ))}
    </ScrollTable>
  )
}
