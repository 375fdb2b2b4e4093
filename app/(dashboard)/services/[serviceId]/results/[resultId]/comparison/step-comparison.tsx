'use client'

import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ResultStep } from '#server/schemas/results/results.ts'
import { statusText } from '#server/schemas/status/status-text.ts'
import { query } from '../../../../../../client/api.ts'
import { Loaded } from '../../../../../../components/lists/loaded.tsx'
import { ScrollTable } from '../../../../../../components/lists/scroll-table.tsx'
import { Table } from '../../../../../../components/lists/table.tsx'
import { bytesText, millisecondsText } from '../../../../../../components/numbers.ts'
import { Disclosure } from '../../../../../../components/run-steps/disclosure.tsx'
import { BodyDiff } from './body-diff.tsx'
import { changedHeaders, isSameOutcome, type StepPair, timingsOf } from './run-diff.ts'

export type ResultIds = { serviceId: string; before: string; after: string }

/** One step of both runs: outcome, times, headers and body. Differences are open where the outcome differs. */
export function StepComparison({ pair, ids }: { pair: StepPair; ids: ResultIds }) {
  const { before, after } = pair
  const step = (after ?? before) as ResultStep
  const isOpen = !isSameOutcome(pair)
  const headers = before && after ? changedHeaders(before.headers, after.headers) : []
  return (
    <Disclosure label={`Step ${step.stepNum}: ${step.method} ${step.urlTemplate}`} isOpen={isOpen}>
      <Stack gap="sm">
        {(before === null || after === null) && (
          <Text size="sm">Only the {before === null ? 'later' : 'earlier'} run has this step.</Text>
        )}
        <ScrollTable
          aria-label={`Values of step ${step.stepNum}`}
          miw={420}
          verticalSpacing={4}
          columns={['', 'Before', 'After', 'Change']}
        >
          <ValueRow
            label="Outcome"
            before={statusText(before?.outcome ?? '–')}
            after={statusText(after?.outcome ?? '–')}
          />
          <ValueRow
            label="Status"
            before={String(before?.statusCode ?? '–')}
            after={String(after?.statusCode ?? '–')}
          />
          {timingsOf(pair).map(({ label, ...row }) => (
            <ValueRow
              key={label}
              label={label}
              before={millisecondsText(row.before)}
              after={millisecondsText(row.after)}
              change={changeText(row.before, row.after)}
            />
          ))}
          <ValueRow
            label="Size"
            before={bytesText(before?.responseSizeBytes)}
            after={bytesText(after?.responseSizeBytes)}
          />
          {(before?.error || after?.error) && (
            <ValueRow label="Error" before={before?.error ?? '–'} after={after?.error ?? '–'} />
          )}
        </ScrollTable>
        {before && after && before.statusCode !== null && after.statusCode !== null && (
          <>
            <Disclosure label={`Changed headers (${headers.length})`} isOpen={isOpen && headers.length > 0}>
              {headers.length === 0 ? (
                <Text size="sm">The headers are the same.</Text>
              ) : (
                <ScrollTable
                  aria-label="Changed headers"
                  miw={420}
                  verticalSpacing={4}
                  columns={['Header', 'Before', 'After']}
                >
                  {headers.map((header) => (
                    <Table.Tr key={header.name}>
                      <Table.Td style={{ overflowWrap: 'anywhere' }}>{header.name}</Table.Td>
                      <Table.Td style={{ overflowWrap: 'anywhere' }}>{header.before ?? '–'}</Table.Td>
                      <Table.Td style={{ overflowWrap: 'anywhere' }}>{header.after ?? '–'}</Table.Td>
                    </Table.Tr>
                  ))}
                </ScrollTable>
              )}
            </Disclosure>
            <Disclosure label="Body" isOpen={isOpen}>
              <Bodies before={before} after={after} ids={ids} />
            </Disclosure>
          </>
        )}
      </Stack>
    </Disclosure>
  )
}

function ValueRow(props: { label: string; before: string; after: string; change?: string | undefined }) {
  const isSame = props.before === props.after
  return (
    <Table.Tr>
      <Table.Th scope="row">{props.label}</Table.Th>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{props.before}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }} {...(isSame ? {} : { fw: 600 })}>
        {props.after}
      </Table.Td>
      <Table.Td c="dimmed">{isSame ? '' : (props.change ?? 'changed')}</Table.Td>
    </Table.Tr>
  )
}

function changeText(before: number | null, after: number | null): string | undefined {
  if (before === null || after === null) return undefined
  const delta = after - before
  return `${delta < 0 ? '−' : '+'}${millisecondsText(Math.abs(delta))}`
}

function Bodies({ before, after, ids }: { before: ResultStep; after: ResultStep; ids: ResultIds }) {
  const [left, right] = [useBody(ids.serviceId, ids.before, before), useBody(ids.serviceId, ids.after, after)]
  const missing = [before.hasBody ? null : 'earlier', after.hasBody ? null : 'later'].filter((run) => run !== null)
  if (missing.length > 0) {
    return <Text size="sm">The body of the {missing.join(' and of the ')} run is not stored.</Text>
  }
  return (
    <Loaded query={left}>
      {(earlier) => (
        <Loaded query={right}>
          {(later) =>
            earlier && later ? (
              <BodyDiff before={earlier} after={later} />
            ) : (
              <Text size="sm">A body is no longer stored.</Text>
            )
          }
        </Loaded>
      )}
    </Loaded>
  )
}

function useBody(serviceId: string, resultId: string, step: ResultStep) {
  return useQuery({
    ...query('results.body', { id: serviceId, resultId, stepId: step.id }),
    enabled: step.hasBody,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
