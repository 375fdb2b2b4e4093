import { Stack } from '@mantine/core'
import type { SystemOverview } from '#server/schemas/system.ts'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { NoEntries } from '../../components/lists/no-entries.tsx'
import { ScrollTable } from '../../components/lists/scroll-table.tsx'
import { Table } from '../../components/lists/table.tsx'
import { durationText } from './duration-text.ts'

type Waiting = SystemOverview['work']['runs']

export function Work({ work }: { work: SystemOverview['work'] }) {
  return (
    <Stack>
      <Facts>
        <Fact title="Due, not yet queued">{countText(work.due)}</Fact>
        <Fact title="Schedule lateness">{durationText(work.due.oldestSeconds ?? 0)}</Fact>
        <Fact title="Runs waiting">{waitingText(work.runs)}</Fact>
        <Fact title="Runs in progress">{work.running.toLocaleString('en')}</Fact>
      </Facts>
      {work.jobs.length === 0 ? (
        <NoEntries>No jobs are waiting.</NoEntries>
      ) : (
        <ScrollTable keepsColumns columns={['Job', 'Waiting', 'Oldest', 'Being retried']} aria-label="Jobs">
          {work.jobs.map((job) => (
            <Table.Tr key={job.task}>
              <Table.Td>{job.task}</Table.Td>
              <Table.Td>{countText(job)}</Table.Td>
              <Table.Td>{durationText(job.oldestSeconds ?? 0)}</Table.Td>
              <Table.Td>{job.failing.toLocaleString('en')}</Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      )}
    </Stack>
  )
}

function countText({ count, isMore }: Waiting): string {
  return isMore ? `${count.toLocaleString('en')} or more` : count.toLocaleString('en')
}

function waitingText(waiting: Waiting): string {
  if (waiting.oldestSeconds === null) return countText(waiting)
  return `${countText(waiting)}, the oldest for ${durationText(waiting.oldestSeconds)}`
}
