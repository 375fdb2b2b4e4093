import { Text } from '@mantine/core'
import type { JsonChange } from '../comparing/json-changes.ts'
import { ScrollTable } from '../lists/scroll-table.tsx'
import { Table } from '../lists/table.tsx'
import styles from './json-changes.module.css'

/** The values of two JSON bodies that differ, by their paths. */
export function JsonChanges({ changes, leftOut }: { changes: JsonChange[]; leftOut: number }) {
  if (changes.length === 0)
    return <Text size="sm">The values are the same. Only the way they are written differs.</Text>
  return (
    <>
      <ScrollTable
        aria-label="Changed values of the body"
        miw={420}
        verticalSpacing={4}
        columns={['Value', 'Before', 'After']}
      >
        {changes.map(({ path, before, after }) => (
          <Table.Tr key={path}>
            <Table.Td className={styles.path}>{path}</Table.Td>
            <Table.Td>
              <Side text={before} kind="removed" />
            </Table.Td>
            <Table.Td>
              <Side text={after} kind="added" />
            </Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
      {leftOut > 0 && (
        <Text size="xs" c="dimmed">
          {leftOut.toLocaleString('en')} more changed values are not listed.
        </Text>
      )}
    </>
  )
}

function Side({ text, kind }: { text: string | null; kind: 'removed' | 'added' }) {
  return text === null ? (
    <Text span size="sm" c="dimmed">
      absent
    </Text>
  ) : (
    <code className={styles.value} data-kind={kind}>
      {text}
    </code>
  )
}
