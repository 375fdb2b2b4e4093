'use client'

import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import type { BucketLength } from '#server/schemas/results/ranges.ts'
import type { Series } from '#server/schemas/results/series.ts'
import { versionsHref } from '../../../../client/addresses/versions-href.ts'
import { zoneName } from '../../../../client/zone-choice.ts'
import { periodText } from '../../../../components/charts/time-labels.ts'
import { useDateTimeText } from '../../../../components/instant.tsx'
import { Link } from '../../../../components/layout/link.tsx'
import { ScrollTable } from '../../../../components/lists/scroll-table.tsx'
import { Table } from '../../../../components/lists/table.tsx'
import { millisecondsText } from '../../../../components/numbers.ts'

/** The numbers of the charts, and the script versions that are marked, as tables that open on demand. */
export function SeriesTable({ serviceId, series }: { serviceId: string; series: Series }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
        Show as a table
      </Text>
      {isOpen && <Tables serviceId={serviceId} series={series} />}
    </details>
  )
}

function Tables({ serviceId, series }: { serviceId: string; series: Series }) {
  const { buckets, versions, length, zone } = series
  const dateTimeText = useDateTimeText()
  return (
    <>
      {versions.length > 0 && (
        <ScrollTable
          miw={560}
          fz="sm"
          verticalSpacing={4}
          aria-label="Script versions"
          columns={['Version', 'First run', 'Saved by', 'Runs', 'Failed']}
        >
          {versions.map((version) => (
            <Table.Tr key={version.version}>
              <Table.Td>
                <Anchor component={Link} href={versionsHref(serviceId, null, version.version)} size="sm">
                  {version.version}
                </Anchor>
              </Table.Td>
              <Table.Td>{dateTimeText(version.firstRunAt)}</Table.Td>
              <Table.Td>{version.savedBy ?? '–'}</Table.Td>
              <Table.Td>{version.runs.toLocaleString('en')}</Table.Td>
              <Table.Td>{version.failed.toLocaleString('en')}</Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      )}
      <ScrollTable
        keepsColumns
        miw={480}
        fz="sm"
        verticalSpacing={4}
        aria-label="Runs and response times"
        columns={[`Period (${zoneName(zone)})`, 'Runs', 'Failed', 'p50', 'p95']}
      >
        {buckets.map((bucket) => (
          <Table.Tr key={bucket.start}>
            <Table.Td>{periodText(bucket.start, bucket.end, length as BucketLength, zone)}</Table.Td>
            <Table.Td>{bucket.runs}</Table.Td>
            <Table.Td>{bucket.failed}</Table.Td>
            <Table.Td>{millisecondsText(bucket.p50Ms)}</Table.Td>
            <Table.Td>{millisecondsText(bucket.p95Ms)}</Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
    </>
  )
}
