'use client'

import { Badge, Group, Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import type { ServiceCertificate } from '#server/schemas/services.ts'
import { Instant, useDateTimeText } from '../../../components/instant.tsx'
import { ScrollTable } from '../../../components/lists/scroll-table.tsx'
import { Table } from '../../../components/lists/table.tsx'

/** The TLS certificates that the runs of the service see. Nothing for a service without TLS. */
export function Certificates({ certificates }: { certificates: ServiceCertificate[] }) {
  const dateTimeText = useDateTimeText()
  const titleId = useId()
  if (certificates.length === 0) return null
  return (
    <Stack gap="sm" component="section" aria-labelledby={titleId}>
      <div>
        <Title order={2} id={titleId}>
          Certificates
        </Title>
        <Text size="sm" c="dimmed">
          The one of each host's chain that expires first. Alerts are sent 30, 14, 7, 3 and 1 days before.
        </Text>
      </div>
      <ScrollTable miw={760} verticalSpacing={4} columns={['Host', 'Expires', 'Issued to', 'Issued by', 'Last seen']}>
        {certificates.map((certificate) => (
          <Table.Tr key={certificate.host}>
            <Table.Td>{certificate.host}</Table.Td>
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                <DaysLeft days={certificate.daysLeft} />
                <Text span size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
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
    </Stack>
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
