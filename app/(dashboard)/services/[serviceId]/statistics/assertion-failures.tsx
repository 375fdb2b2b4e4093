'use client'

import { Code, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { expectedText } from '#server/schemas/results/assertion-text.ts'
import type { Window } from '#server/schemas/statistics.ts'
import { query } from '../../../../client/api.ts'
import { Instant } from '../../../../components/instant.tsx'
import { Section } from '../../../../components/layout/section.tsx'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import { NoEntries } from '../../../../components/lists/no-entries.tsx'
import { ScrollTable } from '../../../../components/lists/scroll-table.tsx'
import { Table } from '../../../../components/lists/table.tsx'
import { roundedPercentText } from '../../../../components/numbers.ts'

/** The assertions that failed in the time window, most failures first. */
export function AssertionFailures({ serviceId, window }: { serviceId: string; window: Window }) {
  const failures = useQuery({
    ...query('statistics.assertions', { id: serviceId, window }),
    placeholderData: keepPreviousData,
  })
  return (
    <Section title="Failed assertions">
      <Loaded query={failures} rows={2}>
        {({ assertions, truncated }) => {
          const failing = assertions.filter((assertion) => assertion.failures > 0)
          if (failing.length === 0) {
            return <NoEntries>No assertion failed in this time window.</NoEntries>
          }
          return (
            <>
              <ScrollTable
                verticalSpacing="xs"
                miw={680}
                fz="sm"
                columns={['Expected', 'Endpoint', 'Failed', 'Last failure']}
              >
                {failing.map((assertion) => (
                  <Table.Tr key={assertion.key}>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>
                      <Code>{expectedText(assertion)}</Code>
                    </Table.Td>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>
                      {assertion.endpoint.method.toUpperCase()} {assertion.endpoint.template}
                    </Table.Td>
                    <Table.Td>
                      {assertion.failures} of {assertion.evaluations} ({roundedPercentText(assertion.failureRatePct)})
                    </Table.Td>
                    <Table.Td c="dimmed">{assertion.lastFailedAt && <Instant at={assertion.lastFailedAt} />}</Table.Td>
                  </Table.Tr>
                ))}
              </ScrollTable>
              {truncated && (
                <Text size="sm" c="dimmed">
                  Only the assertions with the most failures are shown.
                </Text>
              )}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}
