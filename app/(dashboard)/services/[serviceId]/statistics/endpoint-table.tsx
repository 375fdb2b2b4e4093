'use client'

import { Badge, Code, Group, Text } from '@mantine/core'
import type { EndpointStatistics } from '#server/schemas/statistics.ts'
import { ScrollTable } from '../../../../components/lists/scroll-table.tsx'
import { Table } from '../../../../components/lists/table.tsx'
import { bytesText, millisecondsText, percentText } from '../../../../components/numbers.ts'
import { PHASES } from '../../../../components/runs/phases.ts'

export function EndpointTable({ endpoints }: { endpoints: EndpointStatistics[] }) {
  return (
    <ScrollTable
      verticalSpacing="xs"
      horizontalSpacing={8}
      miw={900}
      fz="sm"
      columns={['Endpoint', 'Calls', 'Responses', 'p50', 'p95', ...PHASES.map(({ label }) => label), 'Size']}
    >
      {endpoints.map((endpoint) => (
        <Table.Tr key={endpoint.key}>
          <Table.Td maw={280} style={{ overflowWrap: 'anywhere' }}>
            <strong>{endpoint.method.toUpperCase()}</strong> <Code>{endpoint.template}</Code>
          </Table.Td>
          <Table.Td>
            {endpoint.calls}
            <Text size="xs" c={endpoint.failedCalls > 0 ? 'red' : 'dimmed'}>
              {percentText(endpoint.calls - endpoint.failedCalls, endpoint.calls)} passed
            </Text>
          </Table.Td>
          <Table.Td>
            <Group gap={4}>
              {Object.entries(endpoint.statusCodes).map(([status, count]) => (
                <Badge key={status} size="sm" variant="light" color={colourOf(status)}>
                  {status === 'none' ? 'no response' : status} × {count}
                </Badge>
              ))}
            </Group>
          </Table.Td>
          <Table.Td>{millisecondsText(endpoint.p50Ms)}</Table.Td>
          <Table.Td>{millisecondsText(endpoint.p95Ms)}</Table.Td>
          {PHASES.map(({ key }) => (
            <Table.Td key={key}>
              {millisecondsText(endpoint.phases[key].avgMs)}
              <ChangeText {...endpoint.phases[key]} />
            </Table.Td>
          ))}
          <Table.Td>{bytesText(endpoint.avgSizeBytes === null ? null : Math.round(endpoint.avgSizeBytes))}</Table.Td>
        </Table.Tr>
      ))}
    </ScrollTable>
  )
}

/** The change of a mean since the previous window. Nothing if one of the two is missing. */
function ChangeText({ avgMs, previousAvgMs }: { avgMs: number | null; previousAvgMs: number | null }) {
  if (avgMs === null || previousAvgMs === null || previousAvgMs === 0) return null
  const percent = Math.round(((avgMs - previousAvgMs) / previousAvgMs) * 100)
  return (
    <Text size="xs" c={percent > 20 ? 'red' : percent < -20 ? 'teal' : 'dimmed'}>
      ({percent > 0 ? '+' : ''}
      {percent} %)
    </Text>
  )
}

function colourOf(status: string): string {
  if (status.startsWith('2')) return 'teal'
  return status.startsWith('3') ? 'blue' : 'red'
}
