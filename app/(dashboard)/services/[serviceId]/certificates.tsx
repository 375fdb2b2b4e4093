'use client'

import { Badge, Group, Text } from '@mantine/core'
import type { ServiceCertificate } from '#server/schemas/services.ts'
import { Instant, useDateTimeText } from '../../../components/instant.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { ScrollTable } from '../../../components/lists/scroll-table.tsx'
import { Table } from '../../../components/lists/table.tsx'

/** The TLS certificates that the runs of the service see. Nothing for a service without TLS. */
export function Certificates({ certificates }: { certificates: ServiceCertificate[] }) {
  const dateTimeText = useDateTimeText()
  if (certificates.length === 0) return null
  return (
    <Section
      title="Certificates"
      intro="The certificate of each host's chain that expires first, sorted by expiry. Alerts are sent 30, 14, 7, 3 and 1 days before it expires."
    >
      <ScrollTable miw={760} verticalSpacing="xs" columns={['Host', 'Expires', 'Issued to', 'Issued by', 'Last seen']}>
        {certificates.map((certificate) => (
          <Table.Tr key={certificate.host}>
            <Table.Td>{certificate.host}</Table.Td>
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                <DaysLeft days={certificate.daysLeft} />
                <Text span size="xs" c="dimmed">
                  {dateTimeText(certificate.notAfter)}
                </Text>
              </Group>
            </Table.Td>
            <Table.Td>{certificate.subject ?? '–'}</Table.Td>
            <Table.Td>{certificate.issuer ?? '–'}</Table.Td>
            <Table.Td c="dimmed">
              <Instant at={certificate.lastSeenAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
    </Section>
  )
}

function DaysLeft({ days }: { days: number }) {
  const color = days <= 7 ? 'red' : days <= 30 ? 'orange' : 'teal'
  return (
    <Badge color={color} variant="light" style={{ flexShrink: 0 }}>
      {days <= 0 ? 'Expired' : days === 1 ? '1 day' : `${days} days`}
    </Badge>
  )
}
