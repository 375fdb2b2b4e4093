'use client'

import { Badge, Code } from '@mantine/core'
import { actualText, expectedText } from '#server/schemas/results/assertion-text.ts'
import type { ResultStep } from '#server/schemas/results/results.ts'
import { ScrollTable } from '../../../../../components/lists/scroll-table.tsx'
import { Table } from '../../../../../components/lists/table.tsx'

const OUTCOME_STYLES: Record<string, { color: string; label: string }> = {
  passed: { color: 'teal', label: 'Passed' },
  failed: { color: 'red', label: 'Failed' },
  indeterminate: { color: 'gray', label: 'Indeterminate' },
}

export function AssertionTable({ assertions }: { assertions: ResultStep['assertionResults'] }) {
  return (
    <ScrollTable
      withTableBorder
      horizontalSpacing="sm"
      verticalSpacing={6}
      miw={560}
      aria-label="Assertions"
      columns={[{ w: 110, children: 'Result' }, { w: 90, children: 'Type' }, 'Expected', 'Actual']}
    >
      {assertions.map((assertion, index) => {
        const style = OUTCOME_STYLES[assertion.outcome] ?? { color: 'gray', label: assertion.outcome }
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the assertions of a result never change
          <Table.Tr key={index}>
            <Table.Td>
              <Badge variant="light" color={style.color}>
                {style.label}
              </Badge>
            </Table.Td>
            <Table.Td c="dimmed">.{assertion.method}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Code>{expectedText(assertion)}</Code>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Code>{actualText(assertion)}</Code>
            </Table.Td>
          </Table.Tr>
        )
      })}
    </ScrollTable>
  )
}
