import { Anchor, Code } from '@mantine/core'
import type { VariableScope } from '#server/schemas/variables.ts'
import { Link } from '../layout/link.tsx'
import { Section } from '../layout/section.tsx'
import { Table } from '../lists/table.tsx'
import { SYSTEM_VARIABLE_TEXTS } from './scope.ts'

/** The alert settings of a service as scripts read them. They are changed in their own form. */
export function AlertSettingsList({ entry }: { entry: VariableScope }) {
  const settings = entry.variables.filter(({ systemType }) => systemType !== null)
  return (
    <Section
      title="Alert settings"
      intro={
        <>
          Scripts can read them.{' '}
          <Anchor component={Link} href={`/services/${entry.resourceId}/settings#alerting`} inherit underline="always">
            {entry.editable ? 'Change them in the settings' : 'See them in the settings'}
          </Anchor>{' '}
          of the service.
        </>
      }
    >
      <Table verticalSpacing={4} fz="sm">
        <Table.Tbody>
          {settings.map(({ id, key, value }) => (
            <Table.Tr key={id}>
              <Table.Td w="35%">
                <Code>
                  {entry.prefix}
                  {key}
                </Code>
              </Table.Td>
              <Table.Td>{value}</Table.Td>
              <Table.Td c="dimmed" visibleFrom="sm">
                {SYSTEM_VARIABLE_TEXTS[key]}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}
