'use client'

import { useQuery } from '@tanstack/react-query'
import { query } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'
import { useDateTimeText } from '../../components/instant.tsx'
import { RowLink } from '../../components/layout/row-link.tsx'
import { Section } from '../../components/layout/section.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Table } from '../../components/lists/table.tsx'
import { TitleCell } from '../../components/lists/title-cell.tsx'
import { windowText } from '../../components/schedules/recurrence-words.ts'

/** The own maintenance windows of services, which their settings change. */
export function ServiceWindowList() {
  const dateTimeText = useDateTimeText()
  const { organization } = useMe()
  const { data } = useQuery(query('maintenances.windows'))
  if (!data || data.items.length === 0) return null
  return (
    <Section
      title="Windows of services"
      intro="No scheduled runs of a service start in its window. Change it in the settings of the service."
    >
      <ListTable miw={600} columns={['Service', 'Now or next', 'Rule']}>
        {data.items.map((one) => (
          <Table.Tr key={one.serviceId}>
            <Table.Td>
              <TitleCell
                title={<RowLink href={`/services/${one.serviceId}/settings`}>{one.serviceName}</RowLink>}
                subtitle={one.projectName}
              />
            </Table.Td>
            <Table.Td>
              {one.startsAt && one.endsAt ? `${dateTimeText(one.startsAt)} to ${dateTimeText(one.endsAt)}` : 'never'}
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{windowText(one.window, organization.timezone)}</Table.Td>
          </Table.Tr>
        ))}
      </ListTable>
    </Section>
  )
}
