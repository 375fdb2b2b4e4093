'use client'

import type { ResultStep } from '#server/schemas/results/results.ts'
import { Table } from '../lists/table.tsx'

export function HeaderTable({ headers }: { headers: ResultStep['headers'] }) {
  return (
    <Table verticalSpacing={4} fz="sm" layout="fixed">
      <Table.Tbody>
        {Object.entries(headers).flatMap(([name, value]) =>
          [value].flat().map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may occur twice with the same value
            <Table.Tr key={`${name}-${index}`}>
              <Table.Th w="35%" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{line}</Table.Td>
            </Table.Tr>
          )),
        )}
      </Table.Tbody>
    </Table>
  )
}
