import { Badge, Group, Stack, Text } from '@mantine/core'
import type { SystemOverview } from '#server/schemas/system.ts'
import { Instant } from '../../components/instant.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { Section } from '../../components/layout/section.tsx'
import { NoEntries } from '../../components/lists/no-entries.tsx'
import { ScrollTable } from '../../components/lists/scroll-table.tsx'
import { Table } from '../../components/lists/table.tsx'
import { bytesText } from '../../components/numbers.ts'
import { GrowthChart } from './growth-chart.tsx'

type Stored = SystemOverview['storage']

export function Storage({ storage }: { storage: Stored }) {
  return (
    <>
      <Section title="Database" intro={`PostgreSQL ${storage.postgres}, sampled every five minutes.`}>
        <Stack>
          <Facts>
            <Fact title="Size">{bytesText(storage.databaseBytes)}</Fact>
            <Fact title="Results">{bytesText(storage.resultBytes)}</Fact>
            <Fact title="Growth">{growthText(storage.forecast)}</Fact>
            <Fact title="Disk">{diskText(storage)}</Fact>
            <Fact title="Result partitions">{partitionText(storage.partitions)}</Fact>
            <Fact title="Statistics">{rollupText(storage.rollups)}</Fact>
            <Fact title="Connections">
              {storage.connections.open} of {storage.connections.max}
            </Fact>
            <Fact title="Size in 30 and 90 days">
              {storage.forecast
                ? `${bytesText(storage.forecast.in30Days)}, ${bytesText(storage.forecast.in90Days)}`
                : 'Available after three days'}
            </Fact>
          </Facts>
          {storage.samples.length > 1 && <GrowthChart samples={storage.samples} />}
        </Stack>
      </Section>
      <Section title="Body stores" intro="Sizes are estimates from the results of each day.">
        <Stores stores={storage.stores} />
      </Section>
    </>
  )
}

function Stores({ stores }: { stores: Stored['stores'] }) {
  if (stores.length === 0) return <NoEntries>No body store yet. The first worker that starts creates one.</NoEntries>
  return (
    <ScrollTable columns={['Store', 'Size', 'Per day', 'Last used']} aria-label="Body stores">
      {stores.map((store) => (
        <Table.Tr key={store.id}>
          <Table.Td>
            <Group gap="xs">
              <Text size="sm" fw={600}>
                {store.label}
              </Text>
              {store.isCurrent && (
                <Badge variant="light" color="teal">
                  In use
                </Badge>
              )}
            </Group>
          </Table.Td>
          <Table.Td>{bytesText(store.bytes)}</Table.Td>
          <Table.Td>{bytesText(store.bytesPerDay)}</Table.Td>
          <Table.Td>
            <Instant at={store.lastUsedAt} />
          </Table.Td>
        </Table.Tr>
      ))}
    </ScrollTable>
  )
}

function growthText(forecast: Stored['forecast']): string {
  if (!forecast) return 'Unknown yet'
  const { bytesPerDay } = forecast
  return bytesPerDay < 0 ? `−${bytesText(-bytesPerDay)} a day` : `${bytesText(bytesPerDay)} a day`
}

function diskText({ disk, forecast }: Stored): string {
  if (!disk) return 'Unknown'
  const free = `${bytesText(disk.freeBytes)} of ${bytesText(disk.totalBytes)} free`
  if (!disk.hasDatabase || !forecast || forecast.bytesPerDay <= 0) return free
  return `${free}, full in ${Math.floor(disk.freeBytes / forecast.bytesPerDay).toLocaleString('en')} days`
}

function partitionText({ count, first, last, missing }: Stored['partitions']): string {
  if (missing.length > 0) return `${missing.join(', ')} missing`
  return first === null ? 'None' : `${count}, ${first} to ${last}`
}

function rollupText({ services, isMore, oldestDay }: Stored['rollups']): string {
  if (services === 0) return 'Up to date'
  const count = `${services.toLocaleString('en')}${isMore ? ' or more' : ''}`
  return `${count} ${services === 1 ? 'service' : 'services'} behind, since ${oldestDay}`
}
