'use client'

import { Badge, Code } from '@mantine/core'
import { expectedText } from '#server/schemas/results/assertion-text.ts'
import type { ResultStep } from '#server/schemas/results/results.ts'
import { statusLabel } from '#server/schemas/status/status-text.ts'
import { ScrollTable } from '../lists/scroll-table.tsx'
import { Table } from '../lists/table.tsx'
import { actualSides } from './assertion-sides.ts'

const COLORS: Record<string, string> = { passed: 'teal', failed: 'red' }

/** The assertions of a step. A failed `check` does not end the run; a failed `expect` does. */
export function AssertionTable({ assertions }: { assertions: ResultStep['assertionResults'] }) {
  return (
    <ScrollTable
      withTableBorder
      horizontalSpacing="sm"
      verticalSpacing={6}
      miw={520}
      aria-label="Assertions"
      columns={[{ w: 110, children: 'Result' }, { w: 120, children: 'Type', isPlain: true }, 'Expected', 'Actual']}
    >
      {assertions.map((assertion, index) => {
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the assertions of a result never change
          <Table.Tr key={index} {...(assertion.outcome === 'failed' ? { bg: 'var(--mantine-color-red-light)' } : {})}>
            <Table.Td>
              <Badge variant="light" color={COLORS[assertion.outcome] ?? 'gray'}>
                {statusLabel(assertion.outcome)}
              </Badge>
            </Table.Td>
            <Table.Td>{typeText(assertion)}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Code>{expectedText(assertion)}</Code>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {actualSides(assertion).map((side) => (
                <div key={side}>
                  <Code>{side}</Code>
                </div>
              ))}
            </Table.Td>
          </Table.Tr>
        )
      })}
    </ScrollTable>
  )
}

/** Returns for example `.expect`, or `.assert (check)`: the conditions of an assert are one or the other. */
function typeText({ method, kind }: ResultStep['assertionResults'][number]): string {
  return method === 'assert' && kind ? `.assert (${kind})` : `.${method}`
}
