import { Text } from '@mantine/core'
import type { MemberDetail } from '#server/schemas/organization/organizations.ts'
import { Section } from '../../../components/layout/section.tsx'
import { NoEntries } from '../../../components/lists/no-entries.tsx'
import { ScrollTable } from '../../../components/lists/scroll-table.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { SECTION_TEXTS } from '../../../components/permissions/permissions.ts'
import { Reason } from './reasons.tsx'

const OWN = { owner: 'As the owner', own: 'Own permission', group: '' }

/** What a member may do in the sections of the organization, and why. */
export function MemberSections({ member: { sections } }: { member: MemberDetail }) {
  return (
    <Section title="Permissions" intro="For the whole organization. The highest level counts.">
      {sections.length === 0 ? (
        <NoEntries>No permissions.</NoEntries>
      ) : (
        <ScrollTable miw={560} verticalSpacing="xs" columns={['Section', { w: 110, children: 'Level' }, 'Why']}>
          {sections.map(({ section, level, sources }) => (
            <Table.Tr key={section}>
              <Table.Td>
                {SECTION_TEXTS[section].label}
                <Text size="xs" c="dimmed">
                  {SECTION_TEXTS[section].description}
                </Text>
              </Table.Td>
              <Table.Td>{level === 'write' ? 'Write' : 'Read'}</Table.Td>
              <Table.Td>
                {sources.map(({ kind, group, level }) => (
                  <Text key={group?.id ?? kind} size="sm">
                    <Reason group={group} own={OWN[kind]} />: {level}
                  </Text>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      )}
    </Section>
  )
}
